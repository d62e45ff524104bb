/** The prompts of a catalogue: its jobs, over the datasets that are there now. */
import { ProtocolError } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Catalogue } from '../catalogue/types.ts'
import { rpcCode } from './host-error.ts'
import { type PromptArgument, type PromptJob, promptJobs } from './prompt-jobs.ts'

export const promptParameters = z.object({
  name: z.string(),
  arguments: z.record(z.string(), z.string()).default({}),
})

export interface PromptEntry {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: PromptArgument[]
}

const citation =
  'Cite dataset, version, as-of date and licence of what you state, with the attribution. If an answer is marked `sample`, say that its data are invented.'

/** Datasets that have URIs of one of these first words, in the order of the catalogue. */
const datasetsWith = (catalogue: Catalogue, words: readonly string[]): readonly string[] => {
  const found = catalogue.listTemplates().flatMap(({ uriTemplate }) => {
    const [, dataset, first] = /^([a-z][a-z0-9-]*):\/\/([^/{]+)\/\{/.exec(uriTemplate) ?? []
    return dataset !== undefined && first !== undefined && words.includes(first) ? [dataset] : []
  })
  return [...new Set(found)]
}

const offered = (catalogue: Catalogue): readonly { readonly job: PromptJob; readonly datasets: readonly string[] }[] =>
  promptJobs
    .map((job) => ({ job, datasets: datasetsWith(catalogue, job.needs) }))
    .filter(({ datasets }) => datasets.length > 0)

const datasetArgument = (datasets: readonly string[]): PromptArgument => ({
  name: 'dataset',
  description: `Id of one dataset: ${datasets.join(', ')}. ${datasets.length > 1 ? 'All of these without it.' : 'There is only this one.'}`,
  required: false,
})

/** What `prompts/list` lists. */
export const promptsOf = (catalogue: Catalogue): readonly PromptEntry[] =>
  offered(catalogue).map(({ job: { name, title, description, arguments: own }, datasets }) => ({
    name,
    title,
    description,
    arguments: [...own, datasetArgument(datasets)],
  }))

/** Differs whenever the list of prompts does. */
export const promptFingerprint = (catalogue: Catalogue): string => JSON.stringify(promptsOf(catalogue))

const offeredUnder = (catalogue: Catalogue, name: string) => {
  const found = offered(catalogue).find(({ job }) => job.name === name)
  if (found === undefined) throw new ProtocolError(rpcCode.invalidParams, `Unknown prompt: ${name}`)
  return found
}

/** The result of a `prompts/get`. Throws a ProtocolError for an unknown prompt and for arguments that do not fit. */
export const getPrompt = (catalogue: Catalogue, asked: z.infer<typeof promptParameters>) => {
  const { job, datasets } = offeredUnder(catalogue, asked.name)
  // Hosts send what was left empty as an empty text.
  const given = Object.fromEntries(Object.entries(asked.arguments).filter(([, value]) => value.trim() !== ''))
  const missing = job.arguments.filter(({ name, required }) => required && given[name] === undefined)
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(', ')
    throw new ProtocolError(rpcCode.invalidParams, `${job.name} needs: ${names}`)
  }
  const { dataset } = given
  if (dataset !== undefined && !datasets.includes(dataset)) {
    const message = `${job.name} is there for ${datasets.join(', ')}, not for ${JSON.stringify(dataset)}`
    throw new ProtocolError(rpcCode.invalidParams, message)
  }
  const hasTool = (tool: string): boolean => catalogue.hasTool(tool)
  const text = [...job.steps(given, dataset === undefined ? datasets : [dataset], hasTool), citation].join('\n')
  return {
    description: job.description,
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
  }
}

/** Values for an argument of a prompt: the datasets it is there for; everything else is free text. */
export const promptValues = (catalogue: Catalogue, name: string, argument: string, value: string): string[] => {
  const { datasets } = offeredUnder(catalogue, name)
  return argument === 'dataset' ? datasets.filter((dataset) => dataset.startsWith(value.toLowerCase())) : []
}
