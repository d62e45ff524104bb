/** Which lists a name is looked up in, which are left out and why. */
import { absenceOf, type CatalogueContext, datasetNamed } from '../context.ts'
import { type InstalledList, installedList, isAbsentList, isSearchedUnasked, kindOf, mayBeList } from './lists.ts'

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

/**
 * The lists to search: those named, else all of sanctions; samples only where they are named or there is nothing else. Of a
 * list that is no sanctions list nobody shall think so, therefore those have to be named.
 */
export const chosenLists = (context: CatalogueContext, ids: readonly string[] | undefined): ChosenLists => {
  const wanted =
    ids === undefined ? [...context.datasets.values()] : [...new Set(ids.map((id) => datasetNamed(context, id)))]
  const found = wanted.flatMap((dataset) => installedList(dataset) ?? [])
  const installed = ids === undefined ? found.filter(isSearchedUnasked) : found
  const otherKinds = found.filter((list) => !installed.includes(list))
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
      ...others.map(({ id }) => ({ dataset: id, why: 'It is no sanctions list.' })),
      ...otherKinds.map((list) => ({
        dataset: list.dataset.id,
        why: `It is a list of the kind ${kindOf(list)}, and no sanctions list: name it in datasets to search it.`,
      })),
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
