import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createTerminal, type Terminal } from '../../src/cli/terminal.ts'

/** What a use of the terminal leaves on its two streams. */
const written = (use: (terminal: Terminal) => void): { readonly out: string; readonly err: string } => {
  const [out, err] = [new PassThrough(), new PassThrough()]
  use(createTerminal(out, err))
  return { out: String(out.read() ?? ''), err: String(err.read() ?? '') }
}

describe('the terminal', () => {
  it('has words for people on one channel, and results on the other', () => {
    const both = written((terminal) => {
      terminal.note('a word')
      terminal.json({ a: 1 })
    })
    expect(both).toEqual({ out: '{\n  "a": 1\n}\n', err: 'a word\n' })
  })

  it('prints an error as a document on one line, without what programs have no use for', () => {
    const { out } = written((terminal) =>
      terminal.error(Object.assign(new Error('no such'), { code: 'USAGE' as const })),
    )
    expect(out).toBe('{"error":{"code":"USAGE","message":"no such"}}\n')
  })

  it('never prints a second document', () => {
    const { out } = written((terminal) => {
      terminal.json([])
      terminal.error({ code: 'UNKNOWN_DATASET', message: 'no pipeline' })
    })
    expect(out).toBe('[]\n')
  })
})
