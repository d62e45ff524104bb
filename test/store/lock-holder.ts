/** Takes the lock of a dataset in a process of its own, says whether it got it, and holds it until its input ends. */
import { asStichtagError } from '../../src/errors.ts'
import { takeLock } from '../../src/store/lock.ts'

const [root = '', dataset = ''] = process.argv.slice(2)
try {
  const lock = takeLock({ root, origin: 'global' }, dataset)
  process.stdout.write('held\n')
  process.stdin.resume().on('end', () => lock.release())
} catch (error) {
  process.stdout.write(`${asStichtagError(error).code}\n`)
}
