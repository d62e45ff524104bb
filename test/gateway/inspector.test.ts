/**
 * The MCP Inspector's CLI against `stichtag serve`. It brings a web application along (120 packages, 111 MB in 2.12.0), so
 * that it is no dependency: install `@modelcontextprotocol/inspector` elsewhere, and name its launcher in MCP_INSPECTOR
 * (`…/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js`). Without that nothing is run here.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { main, type Running, startCommand } from '../../src/demo/processes.ts'
import { Register } from '../catalogue/register.ts'

const launcher = process.env.MCP_INSPECTOR
const where = launcher === undefined ? ' (skipped: MCP_INSPECTOR does not say where it is)' : ''

describe.skipIf(launcher === undefined)(`the Inspector's CLI${where}`, () => {
  let register: Register
  let gateway: Running
  let url: string

  beforeAll(async () => {
    register = new Register()
    register.publish([{ number: 'A1', name: 'Acme GmbH', officers: ['Anna Muster'] }])
    gateway = startCommand(['serve', '--http', '127.0.0.1:0'], {
      ...process.env,
      STICHTAG_HOME: register.store.root,
      STICHTAG_LOG: 'info',
    })
    url = String((await gateway.line((line) => typeof line.url === 'string')).url)
  }, 20_000)

  afterAll(async () => {
    await gateway.stop()
    register.remove()
  })

  const targets = {
    HTTP: () => [url],
    stdio: () => ['-e', `STICHTAG_HOME=${register.store.root}`, process.execPath, main, 'serve', '--stdio'],
  }

  const inspect = async (target: keyof typeof targets, era: string, args: readonly string[]): Promise<unknown> => {
    const all = [launcher ?? '', '--cli', ...targets[target](), '--protocol-era', era, ...args]
    const { stdout } = await promisify(execFile)(process.execPath, all, { cwd: register.store.root })
    return JSON.parse(stdout)
  }

  const uri = 'offeneregister://company/A1'

  describe.each(['HTTP', 'stdio'] as const)('over %s', (target) => {
    it.each(['legacy', 'auto', 'modern'])(
      'lists, reads, calls and gets a prompt, as a host of the era %s',
      async (era) => {
        const tools = await inspect(target, era, ['--method', 'tools/list'])
        expect(tools).toMatchObject({ tools: expect.arrayContaining([expect.objectContaining({ name: 'search' })]) })
        const read = await inspect(target, era, ['--method', 'resources/read', '--uri', uri])
        expect(read).toMatchObject({ contents: [{ uri, text: expect.stringContaining('Acme GmbH') }] })
        const call = ['--method', 'tools/call', '--tool-name', 'search', '--tool-arg', 'query=Acme']
        expect(await inspect(target, era, call)).toMatchObject({ structuredContent: { results: [{ uri }] } })
        const prompt = ['--method', 'prompts/get', '--prompt-name', 'look_up_company', '--prompt-args', 'name=Acme']
        expect(await inspect(target, era, prompt)).toMatchObject({ messages: [{ role: 'user' }] })
      },
      60_000,
    )

    it('finds nothing wrong with the schemas of the tools', async () => {
      await inspect(target, 'modern', ['--method', 'tools/list', '--strict'])
    }, 60_000)
  })
})
