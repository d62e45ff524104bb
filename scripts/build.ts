/** Makes the published package's code: `dist/src` and `dist/pipelines`, from the sources that a checkout runs as they are. */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
rmSync(join(root, 'dist'), { recursive: true, force: true })
const { status } = spawnSync('tsc', ['--project', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' })
process.exitCode = status ?? 1
