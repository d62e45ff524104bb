/** What becomes of a command when nobody reads its output any more, as in `stichtag diff offeneregister | head`. */

/** Commands that do more than print: they end what they began. `serve` looks after its streams itself. */
const worksOn = ['ingest', 'schedule', 'serve', 'rollback', 'release', 'prune', 'snapshots', 'install-host', 'demo']

const isClosedPipe = (error: NodeJS.ErrnoException): boolean => error.code === 'EPIPE'

/** A command that only prints ends when its reader does, and without a word; any other goes on in silence. */
export const outliveClosedPipes = (words: readonly string[]): void => {
  const command = words.find((word) => !word.startsWith('-')) ?? ''
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (!isClosedPipe(error)) throw error
    if (!worksOn.includes(command)) process.exit(process.exitCode ?? 0)
  })
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (!isClosedPipe(error)) throw error
  })
}
