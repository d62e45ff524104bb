/** `stichtag demo`: the whole story on invented data, offline, in seconds. */
import { tellStory } from '../demo/story.ts'
import { interruptSignal } from './interrupt.ts'
import { terminal } from './terminal.ts'

/** With `--json` the story goes to stderr while it happens, and stands as `lines` in the document at its end. */
export const demo = async (flags: { readonly json?: boolean }): Promise<number> => {
  const { signal, dispose } = interruptSignal()
  const lines: string[] = []
  const say = (line: string): void => {
    lines.push(...line.split('\n').filter((each) => each !== ''))
    if (flags.json === true) terminal.note(line)
    else terminal.print(line)
  }
  try {
    await tellStory(say, signal)
    if (flags.json === true) terminal.json({ outcome: 'told', lines })
    return 0
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    terminal.note(`The demo failed: ${message}`)
    if (flags.json === true) terminal.json({ outcome: 'failed', lines, message })
    return 3
  } finally {
    dispose()
  }
}
