/** Loads pipelines out of a folder, one after the other; prints their ids, or why they cannot be loaded. */
import { asStichtagError } from '../../src/errors.ts'
import { loadPipeline } from '../../src/pipeline/discover.ts'

const [folder = '', ...datasets] = process.argv.slice(2)
for (const dataset of datasets) {
  try {
    process.stdout.write(`${(await loadPipeline(dataset, [folder])).definition.id}\n`)
  } catch (error) {
    const { code, message } = asStichtagError(error)
    process.stdout.write(`${code} ${message.replaceAll('\n', ' ')}\n`)
  }
}
