/** What a soak measured, and whether it grew: the first fifth of its samples against the last. Pure. */

/** What was measured at one instant, or since the one before. */
export interface SoakSample {
  readonly seconds: number
  readonly heapMiB: number
  readonly gatewayMiB: number
  readonly readersMiB: number
  readonly handles: number
  readonly readerHandles: number
  readonly storeMiB: number
  readonly medianMs: number
  readonly p99Ms: number
  readonly requests: number
  readonly blockedMs: number
  readonly busyMs: number
  readonly load: number
}

type Figure = Exclude<keyof SoakSample, 'seconds'>

export interface SoakReport {
  readonly publishes: number
  readonly requests: number
  readonly failed: readonly string[]
  /** Notifications expected and heard. */
  readonly changes: number
  readonly notifications: number
  /** Means over the first and the last fifth of the samples, and the growth per hour by least squares. */
  readonly figures: Readonly<
    Record<Figure, { readonly first: number; readonly last: number; readonly perHour: number }>
  >
}

const meanOf = (samples: readonly SoakSample[], figure: Figure): number =>
  samples.reduce((sum, sample) => sum + sample[figure], 0) / Math.max(1, samples.length)

/** Growth per hour of the line through the samples that lies closest. */
const slopeOf = (samples: readonly SoakSample[], figure: Figure): number => {
  const middle = samples.reduce((sum, { seconds }) => sum + seconds, 0) / Math.max(1, samples.length)
  const mean = meanOf(samples, figure)
  const rise = samples.reduce((sum, sample) => sum + (sample.seconds - middle) * (sample[figure] - mean), 0)
  const run = samples.reduce((sum, { seconds }) => sum + (seconds - middle) ** 2, 0)
  return run === 0 ? 0 : (rise / run) * 3600
}

export const figuresOf = (samples: readonly SoakSample[]): SoakReport['figures'] => {
  const fifth = Math.max(1, Math.floor(samples.length / 5))
  const of = (figure: Figure) => ({
    first: meanOf(samples.slice(0, fifth), figure),
    last: meanOf(samples.slice(-fifth), figure),
    perHour: slopeOf(samples, figure),
  })
  return {
    heapMiB: of('heapMiB'),
    gatewayMiB: of('gatewayMiB'),
    readersMiB: of('readersMiB'),
    handles: of('handles'),
    readerHandles: of('readerHandles'),
    storeMiB: of('storeMiB'),
    medianMs: of('medianMs'),
    p99Ms: of('p99Ms'),
    requests: of('requests'),
    blockedMs: of('blockedMs'),
    busyMs: of('busyMs'),
    load: of('load'),
  }
}
