import { afterEach, describe, expect, it } from 'vitest'
import { type Subscriber, SubscriptionBook } from '../../src/catalogue/subscription-book.ts'
import { StichtagError } from '../../src/errors.ts'
import { FakeSource, gate } from '../gateway/fake-catalogue.ts'

class Host implements Subscriber {
  open = true
  readonly told: string[] = []
  isOpen = () => this.open
  tell = (uri: string) => void this.told.push(uri)
}

const one = 'shop://item/1'
const two = 'shop://item/2'

describe('the subscription book', () => {
  const books: SubscriptionBook[] = []
  const failures: unknown[] = []
  const bookOf = (source: FakeSource): SubscriptionBook => {
    const book = new SubscriptionBook(source, (_dataset, error) => failures.push(error))
    books.push(book)
    return book
  }
  afterEach(async () => {
    for (const book of books.splice(0)) await book.close()
    failures.length = 0
  })

  it('tells exactly those whose resource reads differently, once', async () => {
    const source = new FakeSource({ 1: 'a', 2: 'b' })
    const book = bookOf(source)
    const [first, second] = [new Host(), new Host()]
    await book.subscribe(first, [one, two])
    await book.subscribe(second, [two])

    source.publish({ 1: 'A', 2: 'b' })
    await book.settled()

    expect(first.told).toEqual([one])
    expect(second.told).toEqual([])
  })

  it('tells each change of an unbroken stream, a rollback included', async () => {
    const source = new FakeSource({ 1: 'a' })
    const book = bookOf(source)
    const host = new Host()
    await book.subscribe(host, [one])

    for (const text of ['b', 'a', 'a']) {
      source.publish({ 1: text })
      await book.settled()
    }

    expect(host.told).toEqual([one, one])
  })

  it('skips no state while one is still being read', async () => {
    const source = new FakeSource({ 1: 'a' })
    const book = bookOf(source)
    const host = new Host()
    await book.subscribe(host, [one])
    const reading = gate()
    source.beforeDigests = reading.held

    source.publish({ 1: 'b' })
    await reading.reached
    source.publish({ 1: 'a' })
    reading.release()
    await book.settled()

    expect(host.told).toEqual([one, one])
  })

  it('keeps a bounded number of moves waiting, and ends up with the newest', async () => {
    const source = new FakeSource({ 1: 'a' })
    const book = bookOf(source)
    const host = new Host()
    await book.subscribe(host, [one])
    const reading = gate()
    source.beforeDigests = reading.held

    for (let version = 0; version < 50; version += 1) source.publish({ 1: `v${version}` })
    reading.release()
    await book.settled()
    expect(host.told.length).toBeLessThan(10)

    source.publish({ 1: 'v49' })
    await book.settled()
    const before = host.told.length
    source.publish({ 1: 'v0' })
    await book.settled()
    expect(host.told.length).toBe(before + 1)
  })

  it('tells who appears and who disappears', async () => {
    const source = new FakeSource({})
    const book = bookOf(source)
    const host = new Host()
    await book.subscribe(host, [one])

    source.publish({ 1: 'a' })
    await book.settled()
    source.publish({})
    await book.settled()

    expect(host.told).toEqual([one, one])
  })

  it('misses nothing that is published while a subscription is being made', async () => {
    const source = new FakeSource({ 1: 'a' })
    const book = bookOf(source)
    const host = new Host()
    const reading = gate()
    source.beforeDigests = reading.held

    const subscribing = book.subscribe(host, [one])
    await reading.reached
    source.publish({ 1: 'b' })
    reading.release()
    await subscribing
    await book.settled()

    expect(host.told).toEqual([one])
  })

  it('does not tell a newcomer what was published before it subscribed', async () => {
    const source = new FakeSource({ 1: 'a' })
    const book = bookOf(source)
    const [early, late] = [new Host(), new Host()]
    await book.subscribe(early, [one])
    const reading = gate()
    source.beforeDigests = reading.held

    source.publish({ 1: 'b' })
    const subscribing = book.subscribe(late, [one])
    reading.release()
    await subscribing
    await book.settled()

    expect(early.told).toEqual([one])
    expect(late.told).toEqual([])
  })

  it('tells what changed without a stream when one opens', async () => {
    const source = new FakeSource({ 1: 'a', 2: 'b' })
    const book = bookOf(source)
    const host = new Host()
    await book.subscribe(host, [one, two])
    host.open = false

    source.publish({ 1: 'A', 2: 'b' })
    await book.settled()
    expect(host.told).toEqual([])

    host.open = true
    book.opened(host)
    await book.settled()
    book.opened(host)
    await book.settled()
    expect(host.told).toEqual([one])
  })

  it('takes A → B → A without a stream for no change', async () => {
    const source = new FakeSource({ 1: 'a' })
    const book = bookOf(source)
    const host = new Host()
    await book.subscribe(host, [one])
    host.open = false

    source.publish({ 1: 'b' })
    source.publish({ 1: 'a' })
    host.open = true
    book.opened(host)
    await book.settled()

    expect(host.told).toEqual([])
  })

  it('takes A → B → A for a change where the host read B without a stream', async () => {
    const source = new FakeSource({ 1: 'a' })
    const book = bookOf(source)
    const host = new Host()
    await book.subscribe(host, [one])
    host.open = false

    source.publish({ 1: 'b' })
    await book.settled()
    book.shown(host, one, 'b')
    source.publish({ 1: 'a' })
    await book.settled()
    host.open = true
    book.opened(host)
    await book.settled()

    expect(host.told).toEqual([one])
  })

  it('tells a host with a stream nothing for what it reads late', async () => {
    const source = new FakeSource({ 1: 'a', 2: 'b' })
    const book = bookOf(source)
    const host = new Host()
    await book.subscribe(host, [one, two])

    source.publish({ 1: 'A', 2: 'b' })
    await book.settled()
    book.shown(host, one, 'a')
    source.publish({ 1: 'A', 2: 'B' })
    await book.settled()

    expect(host.told).toEqual([one, two])
  })

  it('answers each in the spelling that it subscribed in', async () => {
    const source = new FakeSource({ 1: 'a' })
    const book = bookOf(source)
    const host = new Host()
    await book.subscribe(host, ['shop://Item/1', one])

    source.publish({ 1: 'b' })
    await book.settled()

    expect(host.told.toSorted()).toEqual(['shop://Item/1', one])
  })

  it('refuses what could never exist, and then subscribes to nothing', async () => {
    const source = new FakeSource({ 1: 'a' })
    const book = bookOf(source)
    const host = new Host()

    await expect(book.subscribe(host, [one, 'shop://nonsense'])).rejects.toMatchObject({
      code: 'NOT_FOUND',
      data: { uri: 'shop://nonsense' },
    })

    expect(book.count(host)).toBe(0)
  })

  it('stops telling whoever unsubscribed or is forgotten, and reads their URIs no more', async () => {
    const source = new FakeSource({ 1: 'a', 2: 'b' })
    const book = bookOf(source)
    const [leaving, staying] = [new Host(), new Host()]
    await book.subscribe(leaving, [one, two])
    await book.subscribe(staying, [two])
    book.unsubscribe(leaving, two)
    book.forget(leaving)
    source.digestCalls.length = 0

    source.publish({ 1: 'A', 2: 'B' })
    await book.settled()

    expect(leaving.told).toEqual([])
    expect(staying.told).toEqual([two])
    expect(source.digestCalls).toEqual([[two]])
  })

  it('reads a URI once, however many subscribe to it', async () => {
    const source = new FakeSource({ 1: 'a' })
    const book = bookOf(source)
    for (let host = 0; host < 20; host += 1) await book.subscribe(new Host(), [one])
    expect(source.digestCalls).toEqual([[one]])
  })

  it('reads in batches, and lets other work in between thousands of messages', async () => {
    const keys = Array.from({ length: 1200 }, (_, index) => String(index))
    const content = (text: string) => Object.fromEntries(keys.map((key) => [key, text]))
    const source = new FakeSource(content('a'))
    const book = bookOf(source)
    const host = new Host()
    await book.subscribe(
      host,
      keys.map((key) => `shop://item/${key}`),
    )
    expect(source.digestCalls.map((uris) => uris.length)).toEqual(Array(12).fill(100))

    const seenByOthers: number[] = []
    const look = () => {
      seenByOthers.push(host.told.length)
      if (host.told.length < keys.length) setImmediate(look)
    }
    source.publish(content('b'))
    setImmediate(look)
    await book.settled()

    expect(host.told.length).toBe(keys.length)
    expect(seenByOthers.some((count) => count > 0 && count < keys.length)).toBe(true)
  })

  it('tries a failed reading again', async () => {
    const source = new FakeSource({ 1: 'a' })
    const book = bookOf(source)
    const host = new Host()
    await book.subscribe(host, [one])
    let failuresLeft = 1
    source.beforeDigests = async () => {
      if (failuresLeft-- > 0) throw new StichtagError('QUEUE_FULL', 'busy')
    }

    source.publish({ 1: 'b' })
    await book.settled()

    expect(host.told).toEqual([one])
    expect(failures).toEqual([])
  })

  it('fails a subscription whose URIs cannot be read, and keeps nothing of it', async () => {
    const source = new FakeSource({ 1: 'a' })
    const book = bookOf(source)
    const host = new Host()
    source.beforeDigests = async () => {
      throw new StichtagError('QUEUE_FULL', 'busy')
    }

    await expect(book.subscribe(host, [one])).rejects.toMatchObject({ code: 'QUEUE_FULL' })

    expect(book.count(host)).toBe(0)
  })

  it('ends what is being read when it is closed, and listens to nothing', async () => {
    const source = new FakeSource({ 1: 'a' })
    const book = bookOf(source)
    await book.subscribe(new Host(), [one])
    source.beforeDigests = (signal) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))

    source.publish({ 1: 'b' })
    await book.close()

    expect(source.listenerCount).toBe(0)
    expect(failures).toEqual([])
  })
})
