import { describe, expect, it } from 'vitest'
import { interleave, median } from '../../bench/harness/interleave.ts'
import {
  boundLine,
  figure,
  figuresLine,
  ratesLine,
  seenLine,
  skippedLine,
  timesLine,
} from '../../bench/harness/lines.ts'
import { withBlock } from '../../bench/harness/results-file.ts'
import { markdownTable, terminalTable } from '../../bench/harness/table.ts'

const run = (seconds: number) => ({ seconds, cpuSeconds: seconds / 2 })
const rate = (perSecond: number) => ({ perSecond, cpuMicroseconds: 100 })

describe('runs of a comparison', () => {
  it('take turns', async () => {
    const order: string[] = []
    const side = (name: string) => async (round: number) => order.push(`${name}${round}`)
    const results = await interleave(2, { ours: side('ours'), theirs: side('theirs') })
    expect(order).toEqual(['ours0', 'theirs0', 'ours1', 'theirs1'])
    expect(results).toEqual({ ours: [1, 3], theirs: [2, 4] })
  })

  it('are told by the one in the middle', () => {
    expect(median([9, 1, 2])).toBe(2)
    expect(median([4, 1, 2, 9])).toBe(3)
    expect(median([])).toBeNaN()
  })
})

describe('a line of the table', () => {
  const compared = { what: 'a', against: 'b', goal: { atMost: 1 } }

  it('has the ratio of the medians, and beside it that of the best', () => {
    const line = timesLine(compared, [run(3), run(1), run(2)], [run(4), run(4), run(1)])
    expect(line).toMatchObject({ ratio: '0.5 (best 1)', holds: true, goal: '≤ 1 ×' })
    expect(line.ours).toBe('2 s (least 1, cpu 1)')
  })

  it.each([
    [1, true],
    [1.01, false],
  ])('holds a time at most so long: %d is %s', (seconds, holds) => {
    expect(timesLine(compared, [run(seconds)], [run(1)]).holds).toBe(holds)
  })

  it.each([
    [899, false],
    [900, true],
  ])('holds a rate of at least so much: %d is %s', (perSecond, holds) => {
    expect(ratesLine({ ...compared, goal: { atLeast: 0.9 } }, [rate(perSecond)], [rate(1000)]).holds).toBe(holds)
  })

  it('holds a bound by the worst of several', () => {
    expect(boundLine(compared, 'ms', [0.5, 2]).holds).toBe(false)
    expect(boundLine({ ...compared, goal: { atLeast: 1 } }, 'ms', [0.5, 2]).holds).toBe(false)
    expect(boundLine(compared, 'ms', [0.5, 1]).holds).toBe(true)
  })

  it('says nothing of a goal that it has not, or that nothing could be held against', () => {
    expect(figuresLine({ what: 'a', against: 'b' }, 'MiB', [1], [2]).holds).toBeUndefined()
    expect(skippedLine(compared, 'c is not installed')).toMatchObject({ holds: undefined, goal: '≤ 1 ×' })
  })
})

describe('a figure', () => {
  it.each([
    [0.081234, '0.0812'],
    [12.345, '12.3'],
    [123456.7, '123,457'],
    [Number.NaN, '–'],
  ])('%d is written %s', (value, text) => {
    expect(figure(value)).toBe(text)
  })
})

describe('the table', () => {
  const lines = [
    timesLine({ what: 'short', against: 'x', goal: { atMost: 1 } }, [run(2)], [run(1)]),
    seenLine('a longer one', 'x | y', '5', { note: 'as is' }),
  ]

  it('is aligned in a terminal, with notes below', () => {
    const [head = '', first = '', second = '', note] = terminalTable(lines).split('\n')
    expect(first.indexOf('2 s')).toBe(head.indexOf('ours'))
    expect(second.indexOf('5')).toBe(head.indexOf('ours'))
    expect(first).toMatch(/NO$/)
    expect(note).toBe('  a longer one, against x | y: as is')
  })

  it('is Markdown whose cells stay apart', () => {
    const rows = markdownTable(lines).split('\n').slice(0, 4)
    expect(rows.map((row) => row.split(/(?<!\\)\|/).length)).toEqual([9, 9, 9, 9])
  })
})

describe('the file of results', () => {
  const text = 'before\n\n<!-- more full -->\n\nbetween\n\n<!-- more reduced -->\n\nafter'
  const block = (size: string, words: string): string =>
    `<!-- begin ${size} csv -->\n${words}\n<!-- end ${size} csv -->`

  it('takes a row in where its size is, and keeps what people wrote', () => {
    const added = withBlock(text, 'full', 'csv', block('full', 'one'))
    expect(added).toBe(text.replace('<!-- more full -->', `${block('full', 'one')}\n\n<!-- more full -->`))
  })

  it('replaces a row of the same size alone', () => {
    const both = withBlock(
      withBlock(text, 'full', 'csv', block('full', 'one')),
      'reduced',
      'csv',
      block('reduced', 'two'),
    )
    const again = withBlock(both, 'full', 'csv', block('full', 'three $& four'))
    expect(again).toBe(both.replace('one', () => 'three $& four'))
  })

  it('is refused where it has no place for a row', () => {
    expect(() => withBlock('nothing', 'full', 'csv', '')).toThrow('<!-- more full -->')
  })
})
