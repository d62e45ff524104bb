/**
 * Doctor: looks at everything a store holds and says what is wrong and what to do. It changes nothing. Every snapshot is
 * read whole: its file against the manifest's hash, its rows against the content digest, its pages by SQLite itself. Each
 * advice can be followed as it is printed.
 */
import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import { dataFile, pointerPath, type Store, snapshotFolder } from '../store/layout.ts'
import { occupiedPaths } from '../store/pointer.ts'
import { currentVersion, datasetsOf, newestIntact, versionsOf } from '../store/snapshots.ts'
import { examineDisk, examineParts } from './doctor-disk.ts'
import { examineLedger, examineState, examineStrays } from './doctor-own-files.ts'
import { examineQuarantine, examineVersions } from './doctor-snapshots.ts'

/** One thing that was found. Errors want somebody to act; warnings and notes do not stop anything. */
export interface DoctorFinding {
  /** Null where it concerns the whole store. */
  readonly dataset: string | null
  readonly severity: 'error' | 'warning' | 'note'
  readonly path: string
  readonly message: string
  /** What to do about it. */
  readonly advice: string
}

const examinePointer = (store: Store, dataset: string): DoctorFinding[] => {
  if (versionsOf(store, dataset).length === 0) return []
  const names = newestIntact(store, dataset)
  if (names === null) {
    const advice = `stichtag ingest ${dataset} --force --accept-shrink builds a new one`
    const message = 'no kept version has a manifest that can be read: nobody can read this dataset'
    return [{ dataset, severity: 'error', path: store.root, message, advice }]
  }
  const findings: DoctorFinding[] = []
  const pointer = pointerPath(store, names.database)
  const current = currentVersion(store, dataset, names.database)
  const error = (path: string, message: string, advice: string): void =>
    void findings.push({ dataset, severity: 'error', path, message, advice })
  const occupied = occupiedPaths(store, dataset, names)
  for (const path of occupied) {
    const message = 'somebody’s own file or link lies where a pointer must go'
    error(path, message, `mv '${path}' '${path}.mine', and look again; or: stichtag ingest ${dataset} --adopt`)
  }
  const back = `stichtag rollback ${dataset}`
  if (current === null && !occupied.includes(pointer)) {
    error(pointer, 'there is no pointer: nobody can read this dataset', back)
  } else if (current !== null && !existsSync(snapshotFolder(store, dataset, current))) {
    error(pointer, `it points to ${current}, which is not there`, back)
  }
  if (current === null || !existsSync(dataFile(snapshotFolder(store, dataset, current)))) return findings
  for (const alias of names.aliases) {
    const path = pointerPath(store, alias)
    const link = lstatSync(path, { throwIfNoEntry: false })
    if (occupied.includes(path) || (link?.isSymbolicLink() && readlinkSync(path) === names.database)) continue
    const message = link === undefined ? 'the alias is missing' : 'the alias does not lead to the pointer'
    error(path, message, `stichtag rollback ${dataset} ${current} makes it anew, and moves nothing`)
  }
  return findings
}

/** Examines the datasets of a store (all unless named), and the store itself. */
export const examine = async (
  store: Store,
  datasets: readonly string[],
  signal: AbortSignal,
): Promise<DoctorFinding[]> => {
  const findings: DoctorFinding[] = [...examineDisk(store), ...examineLedger(store)]
  const now = new Date()
  for (const dataset of datasets.length > 0 ? datasets : datasetsOf(store)) {
    findings.push(
      ...examinePointer(store, dataset),
      ...examineState(store, dataset),
      ...examineStrays(store, dataset),
      ...examineParts(store, dataset, now),
      ...(await examineVersions(store, dataset, signal)),
      ...(await examineQuarantine(store, dataset, signal)),
    )
  }
  return findings
}
