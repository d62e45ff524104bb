/** The scheduler as a process: on an empty store, told to end in the middle of a run, and after a crash. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { main, startCommand } from '../../src/demo/processes.ts'
import type { Store } from '../../src/store/layout.ts'
import { openLedger } from '../../src/store/ledger.ts'
import { readState } from '../../src/store/snapshots.ts'
import { fileServer, type ScriptedServer, serve, stallAfter } from '../ingest/download-server.ts'
import { firstSample, openStage, type Stage } from './stage.ts'

const delivering = fileServer(readFileSync(firstSample), { etag: '"one"' })
const stalling = stallAfter(1000, 'x'.repeat(2000))

const dataset = 'offeneregister'
const named = ['schedule', '--datasets', dataset]

/** A stage whose dataset comes from this server, once a year. */
const stageWith = async (server: ScriptedServer): Promise<{ readonly stage: Stage; readonly store: Store }> => {
  const stage = await openStage({
    STICHTAG_SOURCE_OFFENEREGISTER: server.url,
    STICHTAG_CRON_OFFENEREGISTER: '0 0 1 1 *',
  })
  onTestFinished(async () => {
    await stage.close()
    await server[Symbol.asyncDispose]()
  })
  return { stage, store: { root: stage.root, origin: 'global' } }
}

const started = (stage: Stage, args: readonly string[] = named) => {
  const scheduler = startCommand(args, stage.env)
  onTestFinished(() => scheduler.stop())
  return scheduler
}

const requested = (server: ScriptedServer, count: number): Promise<void> =>
  vi.waitFor(() => expect(server.requests.length).toBeGreaterThanOrEqual(count), { timeout: 30_000, interval: 20 })

describe('stichtag schedule', () => {
  it('waits on an empty store instead of failing', async () => {
    const { stage } = await stageWith(await serve(delivering))
    const line = await started(stage, ['schedule']).line(({ msg }) => String(msg).startsWith('nothing to schedule yet'))
    expect(line).toMatchObject({ root: stage.root })
  })

  it('starts what is named on an empty store', async () => {
    const { stage, store } = await stageWith(await serve(delivering))
    await started(stage).line(({ msg }) => msg === 'run ended')
    expect(readState(store, dataset)).toMatchObject({ lastRun: { outcome: 'published' } })
  })

  it('says at its start when each dataset is run next, while nothing is due', async () => {
    const { stage } = await stageWith(await serve(delivering))
    await stage.run('ingest', dataset)
    const line = await started(stage).line(({ msg }) => String(msg).includes('next run at 20'))
    expect(line).toMatchObject({ dataset })
  })

  it('does not begin with a name that no pipeline has', async () => {
    const { stage } = await stageWith(await serve(delivering))
    expect((await stage.run('schedule', '--datasets', 'no-such')).status).toBe(2)
  })

  it('told to end in the middle of a run has it end as cancelled, and owes it to the next start', async () => {
    const server = await serve(stalling, stalling, delivering)
    const { stage, store } = await stageWith(server)
    const scheduler = started(stage)
    await requested(server, 1)
    await scheduler.stop()
    expect(readState(store, dataset)).toMatchObject({
      lastRun: { outcome: 'failed', reason: { code: 'CANCELLED' } },
      nextRun: null,
    })
    const again = started(stage)
    await requested(server, 2)
    await again.stop()
    await started(stage).line(({ msg }) => msg === 'run ended')
    expect(readState(store, dataset)).toMatchObject({ lastRun: { outcome: 'published' } })
  })

  it('catches up a run that a crash broke off, though the next turn is far away', async () => {
    const server = await serve(delivering, stalling, delivering)
    const { stage, store } = await stageWith(server)
    await stage.run('ingest', dataset)
    const { lastRun } = readState(store, dataset)
    const crashing = spawn(process.execPath, [main, 'ingest', dataset, '--force'], { env: stage.env, stdio: 'ignore' })
    await requested(server, 2)
    crashing.kill('SIGKILL')
    const scheduler = started(stage)
    expect(await scheduler.line(({ msg }) => msg === 'run starts')).toMatchObject({ dataset, why: 'interrupted' })
    await scheduler.line(({ msg }) => msg === 'run ended')
    expect(readState(store, dataset).lastRun?.run).not.toBe(lastRun?.run)
    const ledger = openLedger(store)
    expect(ledger.open()).toEqual([])
    ledger.close()
  })
})
