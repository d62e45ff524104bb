import { describe, expect, it } from 'vitest'
import { mergedJson, mergedToml } from '../../src/cli/merged-configuration.ts'

const entry = { command: '/usr/bin/node', args: ['main.ts', 'serve'], env: { STICHTAG_HOME: 'C:\\data "x"' } }
const refused = expect.objectContaining({ code: 'NOT_WHAT_IT_SAYS' })

describe('an entry in JSON', () => {
  it('is all there is in a file that was empty', () => {
    expect(JSON.parse(mergedJson('', 'servers', entry))).toEqual({ servers: { stichtag: entry } })
  })

  it('leaves everything else as it is, its order and its indentation too', () => {
    const before =
      '{\n    "theme": "dark",\n    "servers": {\n        "other": {"command": "x"}\n    },\n    "last": 1\n}\n'
    const after = mergedJson(before, 'servers', entry)
    expect(JSON.parse(after)).toEqual({ theme: 'dark', servers: { other: { command: 'x' }, stichtag: entry }, last: 1 })
    expect(Object.keys(JSON.parse(after))).toEqual(['theme', 'servers', 'last'])
    expect(after).toContain('\n    "theme"')
  })

  it('takes the place of an earlier one, and is the same the second time', () => {
    const once = mergedJson('{"servers": {"stichtag": {"url": "old"}}}', 'servers', entry)
    expect(once).not.toContain('old')
    expect(mergedJson(once, 'servers', entry)).toBe(once)
  })

  it.each(['{ // mine\n}', '[]', '"x"', '{"servers": []}', '{"servers": "x"}', '{'])(
    'is not put into %s, where something would be lost',
    (text) => {
      expect(() => mergedJson(text, 'servers', entry)).toThrow(refused)
    },
  )
})

describe('an entry in TOML', () => {
  const table = [
    '[mcp_servers.stichtag]',
    'command = "/usr/bin/node"',
    'args = ["main.ts","serve"]',
    '',
    '[mcp_servers.stichtag.env]',
    'STICHTAG_HOME = "C:\\\\data \\"x\\""',
    '',
  ].join('\n')

  it('is a table of its own', () => {
    expect(mergedToml('', 'mcp_servers', entry)).toBe(table)
  })

  it('comes after everything else, which stays as it is', () => {
    const before = 'model = "o3" # mine\n\n[mcp_servers.other]\nargs = [\n  "x",\n]\n'
    expect(mergedToml(before, 'mcp_servers', entry)).toBe(`${before}\n${table}`)
  })

  it('takes the place of an earlier one with its sub-tables, wherever that stands', () => {
    const before =
      '[mcp_servers.stichtag]\nurl = "old"\n[mcp_servers."stichtag".env]\nA = "old"\n[mcp_servers.stichtag_two]\nurl = "kept"\n'
    const after = mergedToml(before, 'mcp_servers', entry)
    expect(after).not.toContain('old')
    expect(after).toContain('[mcp_servers.stichtag_two]\nurl = "kept"\n')
    expect(mergedToml(after, 'mcp_servers', entry)).toBe(after)
  })

  it.each([
    'mcp_servers = { stichtag = { url = "x" } }',
    'mcp_servers.stichtag.url = "x"',
    '[mcp_servers]\nstichtag = { url = "x" }',
  ])('is not put beside %s, which would define it twice', (text) => {
    expect(() => mergedToml(text, 'mcp_servers', entry)).toThrow(refused)
  })
})
