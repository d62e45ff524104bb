/** The bundled samples of the four datasets of gtfs.de: paths below `data/` with their bytes. Pure. */
import { feedOf } from './feed.ts'
import type { Part } from './network.ts'
import { dates, versions } from './versions.ts'
import { zipOf } from './zip.ts'

const parts: readonly (readonly [dataset: string, part: Part | undefined])[] = [
  ['gtfsde', undefined],
  ['gtfsde-fv', 'fv'],
  ['gtfsde-rv', 'rv'],
  ['gtfsde-nv', 'nv'],
]

export const samples = (): ReadonlyMap<string, Buffer> =>
  new Map(
    parts.flatMap(([dataset, part]) =>
      dates.map((date) => [`${dataset}/${date}/latest.zip`, zipOf(feedOf(versions[date], part))] as const),
    ),
  )
