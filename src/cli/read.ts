/** `stichtag read`: what a host would read at a URI. */
import { openCommandCatalogue } from './catalogue.ts'
import type { StoreFlags } from './stores.ts'
import { terminal } from './terminal.ts'

export const read = async (uri: string, flags: StoreFlags & { readonly json?: boolean }): Promise<number> => {
  const catalogue = await openCommandCatalogue(flags, { watch: false, readers: 2 })
  try {
    const { contents } = await catalogue.source.current.read(uri)
    if (flags.json === true) {
      // The first content is the JSON one; a single document is what a program wants.
      const [first] = contents
      const isJson = first !== undefined && 'text' in first && first.mimeType === 'application/json'
      terminal.json(isJson ? JSON.parse(first.text) : contents)
    } else {
      for (const content of contents) {
        if (contents.length > 1) terminal.note(`${content.uri} (${content.mimeType})`)
        terminal.print('text' in content ? content.text : content.blob)
      }
    }
    return 0
  } finally {
    await catalogue.close()
  }
}
