import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type HostName, hostConfigurations, type Machine } from '../../src/cli/host-configurations.ts'
import { installHost } from '../../src/cli/install-host.ts'
import { runCommand } from '../../src/demo/processes.ts'
import { packageRoot } from '../../src/package-root.ts'

const url = 'http://127.0.0.1:8920/mcp'
const now = new Date('2026-12-01T03:05:12.000Z')
const hosts = Object.keys(hostConfigurations) as HostName[] // the keys of an object of our own
const usage = expect.objectContaining({ code: 'USAGE' })

let folder: string
let machine: Machine
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stichtag-hosts-'))
  machine = { home: join(folder, 'home'), project: join(folder, 'project'), platform: 'linux' }
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

describe('install-host', () => {
  it.each(hosts)('prints for %s how to start this very program, and writes nothing', (host) => {
    const { configuration, path, written } = installHost(host, {}, machine, now)
    expect(configuration).toContain(JSON.stringify(process.execPath))
    expect(configuration).toContain('"serve"')
    expect(configuration).toContain('"--stdio"')
    expect(written).toBe(false)
    expect(existsSync(path)).toBe(false)
  })

  it('spells a gateway over HTTP, and the variable with its token, as each host does', () => {
    const of = (host: HostName) => installHost(host, { http: url, tokenEnv: 'MY_TOKEN' }, machine, now).configuration
    expect(JSON.parse(of('claude-code'))).toEqual({
      mcpServers: { stichtag: { type: 'http', url, headers: { Authorization: `Bearer \${MY_TOKEN}` } } },
    })
    expect(JSON.parse(of('vscode'))).toEqual({
      servers: { stichtag: { type: 'http', url, headers: { Authorization: `Bearer \${env:MY_TOKEN}` } } },
    })
    expect(JSON.parse(of('cursor'))).toEqual({
      mcpServers: { stichtag: { url, headers: { Authorization: `Bearer \${env:MY_TOKEN}` } } },
    })
    const headers = { Authorization: `Bearer \${env:MY_TOKEN}` }
    expect(JSON.parse(of('windsurf'))).toEqual({ mcpServers: { stichtag: { serverUrl: url, headers } } })
    expect(JSON.parse(of('gemini-cli'))).toEqual({
      mcpServers: { stichtag: { httpUrl: url, headers: { Authorization: `Bearer \${MY_TOKEN}` } } },
    })
    expect(JSON.parse(of('opencode'))).toEqual({
      mcp: { stichtag: { type: 'remote', url, headers: { Authorization: 'Bearer {env:MY_TOKEN}' }, enabled: true } },
    })
    expect(of('codex')).toBe(`[mcp_servers.stichtag]\nurl = "${url}"\nbearer_token_env_var = "MY_TOKEN"\n`)
  })

  it('says which host takes no HTTP, and what is wrong with an address or a variable', () => {
    const refuse = (host: string, flags: object) =>
      expect(() => installHost(host, flags, machine, now), JSON.stringify(flags)).toThrow(usage)
    refuse('claude-desktop', { http: url })
    refuse('vscode', { http: '127.0.0.1:8920' })
    refuse('vscode', { http: 'file:///x' })
    refuse('vscode', { http: url, tokenEnv: 'a-secret.token' })
    refuse('vscode', { tokenEnv: 'MY_TOKEN' })
    refuse('emacs', {})
  })

  it.each(hosts)('writes for %s with --write, creating what is not there, and only once', (host) => {
    const first = installHost(host, { write: true }, machine, now)
    expect(first).toMatchObject({ written: true, backup: null })
    expect(readFileSync(first.path, 'utf8')).toBe(first.configuration)
    expect(installHost(host, { write: true }, machine, now)).toMatchObject({ written: false, backup: null })
    expect(readdirSync(dirname(first.path))).toHaveLength(1)
  })

  it('keeps a backup, and everything of others', () => {
    const path = join(machine.project, '.vscode', 'mcp.json')
    mkdirSync(dirname(path), { recursive: true })
    const before = '{"servers": {"other": {"url": "https://other.example"}}}'
    writeFileSync(path, before)
    const { backup } = installHost('vscode', { http: url, write: true }, machine, now)
    expect(readFileSync(backup ?? '', 'utf8')).toBe(before)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      servers: { other: { url: 'https://other.example' }, stichtag: { type: 'http', url } },
    })
  })

  it('leaves a file that it cannot read, and makes no backup of it', () => {
    const path = join(machine.project, '.mcp.json')
    mkdirSync(machine.project)
    writeFileSync(path, '{ // mine\n}')
    expect(() => installHost('claude-code', { write: true }, machine, now)).toThrow(
      expect.objectContaining({ code: 'NOT_WHAT_IT_SAYS' }),
    )
    expect(readdirSync(machine.project)).toEqual(['.mcp.json'])
    expect(readFileSync(path, 'utf8')).toBe('{ // mine\n}')
  })

  it('writes through a link, which stays one', () => {
    mkdirSync(machine.project)
    const elsewhere = join(folder, 'dotfiles.json')
    writeFileSync(elsewhere, '{}')
    symlinkSync(elsewhere, join(machine.project, '.mcp.json'))
    installHost('claude-code', { write: true }, machine, now)
    expect(lstatSync(join(machine.project, '.mcp.json')).isSymbolicLink()).toBe(true)
    expect(readFileSync(elsewhere, 'utf8')).toContain('stichtag')
  })

  it.each([
    ['darwin', join('Library', 'Application Support', 'Claude')],
    ['win32', join('AppData', 'Roaming', 'Claude')],
    ['linux', join('.config', 'Claude')],
  ] as const)('finds the file of Claude Desktop on %s', (platform, place) => {
    const { path } = installHost('claude-desktop', {}, { ...machine, platform }, now)
    expect(path).toBe(join(machine.home, place, 'claude_desktop_config.json'))
  })

  it('is a command, with JSON as every other', async () => {
    const { status, stdout } = await runCommand(['install-host', 'codex', '--http', url, '--json'], {
      ...process.env,
      HOME: machine.home,
    })
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ host: 'codex', written: false, backup: null })
    expect((await runCommand(['install-host', 'emacs'], process.env)).status).toBe(2)
  })

  it('has a page of its own for each host', () => {
    const pages = readdirSync(join(packageRoot, 'docs', 'hosts')).filter((page) => page !== 'README.md')
    expect(pages.sort()).toEqual(hosts.map((host) => `${host}.md`).sort())
    const table = readFileSync(join(packageRoot, 'docs', 'hosts', 'README.md'), 'utf8')
    for (const host of hosts) {
      expect(table).toContain(`| [${hostConfigurations[host].title}](${host}.md)`)
      const text = readFileSync(join(packageRoot, 'docs', 'hosts', `${host}.md`), 'utf8')
      expect(text).toContain(`stichtag install-host ${host} --write`)
      for (const word of ['Tools', 'Resources', 'Subscriptions', 'To see an update']) {
        expect(text.toLowerCase()).toContain(word.toLowerCase())
      }
    }
  })

  it('names every host in its help', async () => {
    const { stdout } = await runCommand(['install-host', '--help'], process.env)
    const words = stdout.replace(/\s+/g, ' ')
    for (const host of hosts) expect(words).toContain(host)
  })
})
