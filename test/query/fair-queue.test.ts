import { describe, expect, it } from 'vitest'
import { FairQueue, type Waiting } from '../../src/query/fair-queue.ts'

interface Named extends Waiting {
  readonly name: string
}

/** `a1` is the first of client `a`; `-1` that of nobody in particular. */
const item = (name: string): Named => ({ name, client: name.startsWith('-') ? undefined : name[0] })

const limits = { most: 100, mostOfOne: 50 }

const filled = (...names: string[]) => {
  const queue = new FairQueue<Named>(limits)
  const items = new Map(names.map((name) => [name, item(name)]))
  for (const each of items.values()) queue.push(each)
  const at = (name: string): Named => items.get(name) ?? item(name)
  return { queue, at }
}

const takeAll = (queue: FairQueue<Named>): string[] => {
  const names: string[] = []
  for (let next = queue.take(); next !== undefined; next = queue.take()) names.push(next.name)
  return names
}

describe('what waits', () => {
  it('goes in turns of clients, and in order within one', () => {
    const { queue } = filled('a1', 'a2', 'a3', 'a4', 'b1', 'b2', '-1', 'c1')
    expect(queue).toHaveLength(8)
    expect(takeAll(queue)).toEqual(['a1', 'b1', '-1', 'c1', 'a2', 'b2', 'a3', 'a4'])
    expect(queue).toHaveLength(0)
  })

  it('of a newcomer is next but for one of each other client, however much they have', () => {
    const { queue } = filled(...Array.from({ length: 40 }, (_, index) => `a${index}`), 'b1')
    queue.take()
    queue.push(item('c1'))
    expect([queue.take(), queue.take(), queue.take()].map((taken) => taken?.name)).toEqual(['b1', 'a1', 'c1'])
  })

  it('is next again where it was put back', () => {
    const { queue } = filled('a1', 'a2', 'b1', 'c1')
    const taken = [queue.take(), queue.take()].flatMap((each) => each ?? [])
    expect(taken.map(({ name }) => name)).toEqual(['a1', 'b1'])
    queue.putBack(taken)
    expect(queue).toHaveLength(4)
    expect(takeAll(queue)).toEqual(['a1', 'b1', 'c1', 'a2'])
  })

  it('is left where it does not fit', () => {
    const { queue } = filled('a1', 'b1')
    expect(queue.take(({ name }) => name !== 'a1')).toBeUndefined()
    expect(takeAll(queue)).toEqual(['a1', 'b1'])
  })

  it('can be given up wherever it is, once', () => {
    const { queue, at } = filled('a1', 'a2', 'b1')
    expect([queue.remove(at('a2')), queue.remove(at('a2')), queue.remove(at('b1'))]).toEqual([true, false, true])
    expect(queue).toHaveLength(1)
    expect(queue.drain().map(({ name }) => name)).toEqual(['a1'])
    expect(queue).toHaveLength(0)
  })
})

describe('a queue', () => {
  it('keeps room for others where one client has as many as it may', () => {
    const queue = new FairQueue<Named>({ most: 4, mostOfOne: 2 })
    for (const name of ['a1', 'a2']) queue.push(item(name))
    expect(() => queue.push(item('a3'))).toThrow(/^2 requests of this client wait already.*Try again in 1 s\.$/)
    for (const name of ['b1', 'c1']) queue.push(item(name))
    expect(() => queue.push(item('d1'))).toThrow(/^4 requests wait already\. Try again in 1 s\.$/)
    queue.take()
    queue.push(item('d1'))
  })

  it('says when to try again by how fast it has been going', () => {
    let now = 0
    const queue = new FairQueue<Named>({ most: 100, mostOfOne: 6 }, () => now)
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'b2']) queue.push(item(name))
    for (let round = 0; round < 2; round += 1) {
      queue.take()
      now += 2000
    }
    queue.push(item('a7'))
    // Two clients in turns, six of its own, one in two seconds.
    expect(() => queue.push(item('a8'))).toThrow(
      expect.objectContaining({ code: 'QUEUE_FULL', data: { retryAfter: 24 } }),
    )
    now += 1_000_000
    expect(() => queue.push(item('a9'))).toThrow(/Try again in 60 s/)
  })
})
