/** `stichtag demo`: the whole story on invented data, offline, in seconds. */
import { tellStory } from '../demo/story.ts'
import { terminal } from './terminal.ts'

export const demo = async (): Promise<number> => {
  try {
    await tellStory((line) => terminal.print(line))
    return 0
  } catch (error) {
    terminal.note(`The demo failed: ${error instanceof Error ? error.message : String(error)}`)
    return 3
  }
}
