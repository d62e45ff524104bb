import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeProgress, isLively } from '../../src/cli/progress.ts'
import { main } from '../../src/demo/processes.ts'

describe('progress', () => {
  it('says step, file, amount, rate and remaining time, as far as they are known', () => {
    const mib = 1024 * 1024
    const download = {
      dataset: 'd',
      step: 'download',
      file: 'f.bz2',
      done: 10 * mib,
      total: 40 * mib,
      unit: 'bytes',
    } as const
    expect(describeProgress(download, 2)).toBe('d: download f.bz2 · 10.0 MiB of 40.0 MiB · 5.0 MiB/s · 6 s left')
    expect(describeProgress({ dataset: 'd', step: 'load', done: 2000, unit: 'records' }, 0)).toBe(
      'd: load · 2,000 records',
    )
    expect(describeProgress({ dataset: 'd', step: 'seal' }, 3)).toBe('d: seal')
  })

  it.each([
    [{ isTTY: true, columns: 80 }, true],
    [{ isTTY: true, columns: 0 }, false],
    [{ isTTY: true }, false],
    [{ isTTY: false, columns: 80 }, false],
    [{}, false],
  ])('lives on a terminal of known width only: %o', (stream, lively) => {
    expect(isLively(stream)).toBe(lively)
  })

  it('ends on a terminal that does not know its width', () => {
    const home = mkdtempSync(join(tmpdir(), 'stichtag-terminal-'))
    try {
      // util-linux's `script` makes a terminal, here of no width, since this process has none to copy from.
      const command = `${process.execPath} ${main} ingest offeneregister --sample`
      const { status, error } = spawnSync('script', ['-qec', command, '/dev/null'], {
        env: { ...process.env, STICHTAG_HOME: home, STICHTAG_LOG: 'warn' },
        stdio: ['ignore', 'ignore', 'ignore'],
        timeout: 30_000,
      })
      expect({ status, error }).toEqual({ status: 0, error: undefined })
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  })
})
