/**
 * Bounds of a download, asked for before a body comes and while it does: what may come at most of a source, and what the
 * disk has room for. A source without a length may have no end; it is given up before the disk is full, and where nobody
 * would believe any more that it is the file that was asked for.
 */
import { StichtagError } from '../errors.ts'
import { maxDownloadSetting } from '../settings.ts'
import { dataFolder, type Store } from '../store/layout.ts'
import type { Manifest } from '../store/manifest.ts'
import { buildingBytes, checkSpace, inWords } from './disk-space.ts'
import type { PlannedFile } from './plan.ts'
import { shownUrl } from './shown-url.ts'

const mebibyte = 1024 * 1024
/** What a file may grow to from one delivery to the next, where it is not small. */
const growth = 10
const leastBound = 1024 * mebibyte
const boundOfFirst = 65_536 * mebibyte

/** Most bytes that one file may have: as a setting says, or by the last delivery from the same URL, if any. Pure. */
export const mostBytes = (setting: number | undefined, last: number | undefined): number => {
  if (setting !== undefined) return setting * mebibyte
  return last === undefined ? boundOfFirst : Math.max(leastBound, last * growth)
}

export interface BoundsOptions {
  readonly store: Store
  readonly dataset: string
  /** How many times as big as its delivery a snapshot is, where the pipeline says it. */
  readonly space: number | undefined
  readonly current: Manifest | null
  readonly freeBytes?: ((folder: string) => number) | undefined
}

/** Told of a file that comes: bytes that are there, and of all of it where the server says it. Throws where it is too much. */
export type CheckReceived = (file: PlannedFile, received: number, total: number | undefined) => void

/** @throws (what it returns) NOT_WHAT_IT_SAYS above the most that may come, STORE_UNWRITABLE where there is no room */
export const checkReceivedFor = ({ store, dataset, space, current, freeBytes }: BoundsOptions): CheckReceived => {
  const setting = maxDownloadSetting()
  return (file, received, total) => {
    const last = current?.sources.find(({ name }) => name === file.name)
    const most = mostBytes(setting, last?.url === file.url ? last.bytes : undefined)
    const comes = total === undefined ? received : total
    if (comes > most) throw tooMuch(dataset, file, comes, total, most)
    const whole = total ?? Math.max(received, last?.bytes ?? 0)
    const needed = whole - received + buildingBytes(whole, space, current?.file.bytes ?? 0)
    const told = received === 0 ? '' : `${file.name}: ${inWords(received)} had come of ${ofAll(total)}, and `
    checkSpace(dataset, dataFolder(store), needed, freeBytes, told)
  }
}

const ofAll = (total: number | undefined): string =>
  total === undefined ? 'a file whose length the source does not say' : inWords(total)

const tooMuch = (
  dataset: string,
  { name, location }: PlannedFile,
  comes: number,
  total: number | undefined,
  most: number,
): StichtagError =>
  new StichtagError(
    'NOT_WHAT_IT_SAYS',
    `${dataset}: ${name}: ${shownUrl(location)} ` +
      `${total === undefined ? `sent ${inWords(comes)} and did not end` : `has ${inWords(comes)}`}, where ` +
      `${inWords(most)} are expected at most. The current snapshot is unchanged. ` +
      'Look whether the URL is still that of the file; where it is, STICHTAG_MAX_DOWNLOAD lets more come.',
    { data: { dataset, file: name, url: shownUrl(location), bytes: comes, most } },
  )
