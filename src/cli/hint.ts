/** What was meant by words that are no command or option of ours, but sound as if they were. Pure. */

/** Tools that every gateway has, with what calls them from a terminal. */
const tools: Readonly<Record<string, string>> = {
  search: "stichtag call search query='…'",
  screen_name: "stichtag call screen_name name='…'",
  list_datasets: 'stichtag call list_datasets (for people: stichtag status)',
  changes: 'stichtag call changes dataset=… (for people: stichtag diff)',
  fetch: 'stichtag read <uri>, or stichtag call fetch id=…',
}

/**
 * A sentence on what to write instead of an unknown word; undefined where nothing is known of it.
 * @param code commander's, of what it refused
 * @param words the command line, without the program's name
 */
export const hintOf = (code: string, words: readonly string[]): string | undefined => {
  if (code === 'commander.unknownCommand') {
    const command = words.find((word) => !word.startsWith('-')) ?? ''
    const call = Object.hasOwn(tools, command) ? tools[command] : undefined
    return call === undefined ? undefined : `${command} is a tool, not a command: ${call}`
  }
  const port = words.findIndex((word) => /^--port(?:=|$)/.test(word))
  if (code !== 'commander.unknownOption' || words[0] !== 'serve' || port === -1) return undefined
  const number = words[port]?.split('=')[1] ?? words[port + 1] ?? '8920'
  return `the port is said by --http: stichtag serve --http ${number}`
}
