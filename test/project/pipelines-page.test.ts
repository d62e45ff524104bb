/** docs/pipelines.md and the types of a pipeline: what can be said is explained, and what is shown can be said. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { encodings } from '../../src/formats/encoding.ts'
import { packageRoot } from '../../src/package-root.ts'
import { kit } from '../../src/pipeline/define.ts'

const text = (name: string): string => readFileSync(join(packageRoot, name), 'utf8')
const page = text('docs/pipelines.md')

/** Interfaces that people write or are given, by the file that declares them. */
const interfaces = {
  'src/pipeline/types.ts': [
    'PipelineDefinition',
    'TableDefinition',
    'RelatedDefinition',
    'FullTextDefinition',
    'DeltaDefinition',
    'GuardDefinition',
    'ReferenceDefinition',
    'InputHeader',
    'DeliveryShape',
    'PreambleContext',
    'MapContext',
    'FieldReader',
    'Kit',
  ],
  'src/pipeline/source-types.ts': ['SourceDefinition', 'Lookup', 'ResolveContext', 'RemoteFile'],
  'src/formats/archive-members.ts': ['ArchiveDefinition'],
  'src/formats/csv-dialect.ts': ['CsvDialect'],
  'src/formats/json-format.ts': ['JsonFormat'],
  'src/formats/xml-format.ts': ['XmlFormat'],
  'src/formats/types.ts': ['XmlElement'],
}

/** Names of an interface's properties and methods, from its source text. */
const propertiesOf = (source: string, name: string): string[] => {
  const [, body = ''] = new RegExp(`^export interface ${name}\\b[^{]*\\{\\n(.*?)^\\}`, 'ms').exec(source) ?? []
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(<]/gm)].map(([, property = '']) => property)
}

const properties = Object.entries(interfaces).flatMap(([file, names]) =>
  names.flatMap((name) => propertiesOf(text(file), name).map((property) => ({ name, property }))),
)

/** What stands in code on the page, inline or in blocks. */
const code = [...page.matchAll(/```\w*\n.*?```|`[^`\n]+(?:\n[^`\n]+)?`/gs)].map(([span]) => span).join('\n')
const shows = (word: string): boolean => new RegExp(`\\b${word}\\b`).test(code)

describe('docs/pipelines.md', () => {
  it.each(Object.entries(interfaces).flatMap(([file, names]) => names.map((name) => ({ file, name }))))(
    'is held against $name of $file, which is there',
    ({ file, name }) => {
      expect(propertiesOf(text(file), name)).not.toEqual([])
    },
  )

  it.each(properties)('explains $property of $name', ({ property }) => {
    expect(shows(property)).toBe(true)
  })

  it('would be caught without one', () => {
    expect(shows('nobodyWroteThis')).toBe(false)
  })

  it.each([...encodings])('names the encoding %s', (encoding) => {
    expect(shows(encoding)).toBe(true)
  })

  const [whole = '', ...fragments] = [...page.matchAll(/^```js\n(.*?)^```$/gms)].map(([, block = '']) => block)

  it.each(fragments)('shows what a definition may say: %s', async (fragment) => {
    const definitionOf = async (source: string): Promise<object> => {
      const url = `data:text/javascript,${encodeURIComponent(source)}`
      const loaded: { readonly default: (given: typeof kit) => object } = await import(/* @vite-ignore */ url)
      return loaded.default(kit)
    }
    const part = await definitionOf(`export default () => ({${fragment}})`)
    expect(Object.keys(part)).not.toEqual([])
    const definition = { ...(await definitionOf(whole)), ...part }
    // The check is what the test is about: a fragment that cannot be said is refused by it.
    expect(() => kit.definePipeline(definition as Parameters<typeof kit.definePipeline>[0])).not.toThrow()
  })

  it('links to its own headings', () => {
    const anchors = [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replace(/\s/g, '-'),
    )
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor)
    expect(links.filter((link) => !anchors.includes(link ?? ''))).toEqual([])
  })
})
