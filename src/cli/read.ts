/** `stichtag read`: what a host would read at a URI. */
import type { Content } from '../catalogue/types.ts'
import { openCommandCatalogue } from './catalogue.ts'
import type { StoreFlags } from './stores.ts'
import { terminal } from './terminal.ts'

const jsonType = 'application/json'

/**
 * The contents as one document: the JSON content as it is, with further ones (a Markdown sheet, BLOBs) as its
 * `contents`; a list of contents where there is no JSON one.
 */
export const documentOf = (contents: readonly Content[]): unknown => {
  const [first, ...further] = contents
  if (first === undefined || !('text' in first) || first.mimeType !== jsonType) return contents
  const body: unknown = JSON.parse(first.text)
  if (further.length === 0 || typeof body !== 'object' || body === null) return body
  return { ...body, contents: further }
}

/** The contents for people: the sheet where there is one, else JSON in lines; bytes by their size. */
export const textOf = (contents: readonly Content[]): string => {
  const sheet = contents.find((content) => 'text' in content && content.mimeType === 'text/markdown')
  return (sheet === undefined ? contents : [sheet]).map(shown).join('\n')
}

const shown = (content: Content): string => {
  if (!('text' in content)) {
    const bytes = Buffer.byteLength(content.blob, 'base64')
    return `${content.uri}: ${content.mimeType}, ${bytes} bytes (--json prints them in base64)`
  }
  return content.mimeType === jsonType ? JSON.stringify(JSON.parse(content.text), null, 2) : content.text.trimEnd()
}

export const read = async (uri: string, flags: StoreFlags & { readonly json?: boolean }): Promise<number> => {
  const catalogue = await openCommandCatalogue(flags, { watch: false, readers: 2 })
  try {
    const { contents } = await catalogue.source.current.read(uri)
    if (flags.json === true) terminal.json(documentOf(contents))
    else terminal.print(textOf(contents))
    return 0
  } finally {
    await catalogue.close()
  }
}
