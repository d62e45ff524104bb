import { describe, expect, it } from 'vitest'
import { hintOf } from '../../src/cli/hint.ts'
import { commandLine } from './stichtag.ts'

const command = 'commander.unknownCommand'
const option = 'commander.unknownOption'

describe('a hint', () => {
  it.each([
    [command, ['search', 'Zug'], "search is a tool, not a command: stichtag call search query='…'"],
    [command, ['--json', 'fetch', 'QDi.006'], /stichtag read <uri>/],
    [command, ['list_datasets'], /stichtag status/],
    [option, ['serve', '--http', '--port', '8977'], 'the port is said by --http: stichtag serve --http 8977'],
    [option, ['serve', '--port=8977'], /serve --http 8977$/],
  ])('tells what is to be written instead: %s %j', (code, words, expected) => {
    expect(hintOf(code, words)).toEqual(expect.stringMatching(expected))
  })

  it.each([
    [command, ['toString']],
    [command, ['ingets']],
    [option, ['ingest', '--port', '1']],
    [option, ['serve', '--prot']],
  ])('is not given where nothing is known: %s %j', (code, words) => {
    expect(hintOf(code, words)).toBeUndefined()
  })

  it('is told after the error, and in its document', () => {
    const here = commandLine()
    try {
      const { status, stderr, stdout } = here.run(['search', 'Zug', '--json'])
      expect(status).toBe(2)
      expect(stderr).toContain('stichtag call search')
      expect(JSON.parse(stdout)).toMatchObject({ error: { message: expect.stringContaining('stichtag call search') } })
    } finally {
      here.remove()
    }
  })
})
