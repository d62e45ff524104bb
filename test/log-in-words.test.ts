import { describe, expect, it } from 'vitest'
import { logInWords } from '../src/log-in-words.ts'

const words = (line: object): string => logInWords(JSON.stringify({ time: 1, ...line }))

describe('a line of the log, at a terminal', () => {
  it.each([
    [{ level: 30, msg: 'd: load' }, 'd: load\n'],
    [{ level: 40, msg: 'slow', dataset: 'd' }, 'warning: d: slow\n'],
    [{ level: 40, msg: 'd is slow', dataset: 'd', code: 'X', url: 'http://u' }, 'warning: d is slow\n'],
    [{ level: 40, msg: 'removed', swept: ['a', 'b'] }, 'warning: removed (swept: ["a","b"])\n'],
    [{ level: 50, msg: 'not told', err: { message: 'why' } }, 'error: not told\nwhy\n'],
    [{ level: 50, msg: 'a defect', code: 'INTERNAL', err: { stack: 'at x' } }, 'error: a defect\nat x\n'],
    [{ level: 50, msg: 'cancelled', code: 'CANCELLED', err: { stack: 'at x' } }, 'error: cancelled\n'],
  ])('%j is %j', (line, expected) => {
    expect(words(line)).toBe(expected)
  })

  it('is empty where a failure is the result of the command as well; its warnings are not', () => {
    expect(words({ level: 50, msg: 'failed', inResult: true })).toBe('')
    expect(words({ level: 40, msg: 'odd', inResult: true })).toBe('warning: odd\n')
  })
})
