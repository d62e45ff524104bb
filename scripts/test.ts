/**
 * Everything that must hold, in one command: format and lint, types, all tests, the package, the demo. Each step runs
 * even where an earlier one failed; the last line counts them all.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const work = mkdtempSync(join(tmpdir(), 'stichtag-test-'))
const report = join(work, 'vitest.json')

interface Counts {
  passed: number
  failed: number
  skipped: number
}

const counts: Counts = { passed: 0, failed: 0, skipped: 0 }

const run = (title: string, command: string, args: readonly string[]): boolean => {
  process.stdout.write(`\n== ${title}\n`)
  return spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status === 0
}

const step = (title: string, command: string, args: readonly string[]): void => {
  if (run(title, command, args)) counts.passed += 1
  else counts.failed += 1
}

/** Counts of vitest's JSON report. A run that wrote none has failed. */
const tests = (): void => {
  const fine = run('tests', 'vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`])
  try {
    // vitest's documented report, which is Jest's.
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8')) as Record<
      string,
      number
    >
    counts.passed += numPassedTests ?? 0
    counts.failed += numFailedTests ?? 0
    counts.skipped += numPendingTests ?? 0
    // A file that cannot be loaded fails the run and is no failed test.
    if (!fine && numFailedTests === 0) counts.failed += 1
  } catch (error) {
    process.stderr.write(`no report of the tests: ${String(error)}\n`)
    counts.failed += 1
  }
}

try {
  step('format and lint', 'biome', ['check', '.'])
  step('types', 'tsc', ['--noEmit'])
  tests()
  step('demo', 'node', ['bin/stichtag.mjs', 'demo'])
} finally {
  rmSync(work, { recursive: true, force: true })
}
process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`)
process.exitCode = counts.failed === 0 ? 0 : 1
