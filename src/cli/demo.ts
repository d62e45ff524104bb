/** `stichtag demo`: the whole story on invented data, offline, in seconds. */
import { tellStory } from '../demo/story.ts'
import { interruptSignal } from './interrupt.ts'
import { terminal } from './terminal.ts'

export const demo = async (): Promise<number> => {
  const { signal, dispose } = interruptSignal()
  // Who stops listening (`demo | head`) must not keep the demo from cleaning up behind itself.
  const goOnSilently = (error: NodeJS.ErrnoException): void => {
    if (error.code !== 'EPIPE') throw error
  }
  process.stdout.on('error', goOnSilently)
  try {
    await tellStory((line) => terminal.print(line), signal)
    return 0
  } catch (error) {
    terminal.note(`The demo failed: ${error instanceof Error ? error.message : String(error)}`)
    return 3
  } finally {
    dispose()
  }
}
