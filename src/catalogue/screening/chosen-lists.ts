/** Which lists a name is looked up in, which are left out and why, and what those searched lack. */
import { absenceOf, type CatalogueContext, datasetNamed, stateOf } from '../context.ts'
import type { ServedDataset } from '../served.ts'
import { type InstalledList, installedList, isAbsentList, mayBeList } from './lists.ts'

/** A list that is missing, cannot be searched or not whole, or is out of date. `code` is an error's, or a state in capitals. */
export interface ListProblem {
  readonly dataset: string
  readonly code: string
  readonly message: string
}

export interface ChosenLists {
  readonly lists: readonly InstalledList[]
  readonly leftOut: readonly { readonly dataset: string; readonly why: string }[]
  readonly absent: readonly ListProblem[]
}

/** The lists to search: those named, else all; samples only where they are named or there is nothing else. */
export const chosenLists = (context: CatalogueContext, ids: readonly string[] | undefined): ChosenLists => {
  const wanted =
    ids === undefined ? [...context.datasets.values()] : [...new Set(ids.map((id) => datasetNamed(context, id)))]
  const installed = wanted.flatMap((dataset) => installedList(dataset) ?? [])
  const absent = wanted.flatMap((dataset) => {
    if (dataset.databases.length > 0 || (ids === undefined && !isAbsentList(dataset) && !mayBeList(dataset))) return []
    const { code, message } = absenceOf(dataset)
    return [{ dataset: dataset.id, code, message }]
  })
  const others = wanted.filter((dataset) => dataset.databases.length > 0 && installedList(dataset) === undefined)
  const isSample = ({ database }: InstalledList): boolean => database.terms.sample
  const leavesSamples = ids === undefined && installed.some((list) => !isSample(list))
  return {
    lists: leavesSamples ? installed.filter((list) => !isSample(list)) : installed,
    leftOut: [
      ...(ids === undefined ? [] : others.map(({ id }) => ({ dataset: id, why: 'It is no sanctions list.' }))),
      ...(leavesSamples
        ? installed.filter(isSample).map(({ dataset }) => ({
            dataset: dataset.id,
            why: 'Its records are an invented sample, not searched beside real lists unless it is named in datasets.',
          }))
        : []),
    ],
    absent,
  }
}

/** What a list that was searched lacks: its last run failed, or its data are old. */
export const outOfDate = (context: CatalogueContext, dataset: ServedDataset): readonly ListProblem[] => {
  const state = stateOf(dataset, context)
  if (state !== 'failing' && state !== 'stale' && state !== 'expired') return []
  const version = dataset.databases[0]?.version ?? ''
  const message =
    state === 'failing'
      ? `Its last run failed or was refused; version ${version} was searched.`
      : `It is ${state}: version ${version} was searched, and a newer one may be due.`
  return [{ dataset: dataset.id, code: state.toUpperCase(), message }]
}
