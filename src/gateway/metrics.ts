/**
 * Figures in Prometheus' format. Labels hold only what this project names (methods, codes, datasets), never what a host
 * sent: whoever asks must not be able to make series.
 */
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Catalogue } from '../catalogue/types.ts'
import type { ReaderFigures } from '../query/figures.ts'
import { type DatasetHealth, datasetHealth } from './dataset-health.ts'
import type { Answered, NotificationKind, Observer } from './observer.ts'

/** What is counted when somebody looks, not as it happens. */
export interface Standing {
  readonly catalogue: Catalogue
  readonly sessions: number
  /** Open streams of hosts of either era. */
  readonly streams: number
  readonly subscriptions: number
  readonly readers?: ReaderFigures | undefined
}

const latencies = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

export class Metrics implements Observer {
  readonly #registry = new Registry()
  readonly #standing: () => Standing
  readonly #requests = this.#counter('requests_total', 'Requests answered, by outcome.', ['method', 'era', 'outcome'])
  readonly #refused = this.#counter('http_refused_total', 'HTTP requests that were turned away.', ['status'])
  readonly #notifications = this.#counter('notifications_total', 'Notifications sent to hosts.', ['kind'])
  readonly #seconds = new Histogram({
    name: 'stichtag_request_seconds',
    help: 'Seconds to answer a request.',
    labelNames: ['method', 'era'],
    buckets: latencies,
    registers: [this.#registry],
  })
  readonly #sessions = this.#gauge('sessions', 'Sessions of legacy hosts.')
  readonly #streams = this.#gauge('streams', 'Open streams on which hosts are told of changes.')
  readonly #subscriptions = this.#gauge('subscriptions', 'Subscriptions to resources, each counted per host.')
  readonly #age = this.#gauge('dataset_age_seconds', 'Seconds since the instant as of which a dataset holds.', [
    'dataset',
  ])
  readonly #confirmed = this.#gauge(
    'dataset_confirmed_age_seconds',
    'Seconds since a run found that a dataset is what its publisher has.',
    ['dataset'],
  )
  readonly #state = this.#gauge('dataset_state', '1 for the state that a dataset is in.', ['dataset', 'state'])
  readonly #waiting = this.#gauge('reader_queue', 'Requests that wait for a reader process.', ['lane'])
  readonly #processes = this.#gauge('reader_processes', 'Reader processes, by what they do.', ['state'])
  readonly #ends = this.#counter('reader_kills_total', 'Reader processes that ended with a request.', ['reason'])
  readonly #memory = new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of the gateway process, without its readers.',
    registers: [this.#registry],
  })
  readonly #cpu = new Gauge({
    name: 'process_cpu_seconds_total',
    help: 'CPU time of the gateway process, without its readers.',
    registers: [this.#registry],
  })

  constructor(standing: () => Standing) {
    this.#standing = standing
  }

  answered({ method, era, outcome, seconds }: Answered): void {
    this.#requests.inc({ method, era, outcome })
    this.#seconds.observe({ method, era }, seconds)
  }

  notified(kind: NotificationKind): void {
    this.#notifications.inc({ kind })
  }

  refused(status: number): void {
    this.#refused.inc({ status })
  }

  /** Everything, as Prometheus reads it; its content type is `contentType`. */
  async text(now: number): Promise<string> {
    const { catalogue, sessions, streams, subscriptions, readers } = this.#standing()
    if (readers !== undefined) this.#takeReaders(readers)
    this.#sessions.set(sessions)
    this.#streams.set(streams)
    this.#subscriptions.set(subscriptions)
    this.#takeDatasets(await datasetHealth(catalogue), now)
    this.#memory.set(process.memoryUsage.rss())
    const { user, system } = process.cpuUsage()
    this.#cpu.set((user + system) / 1e6)
    return this.#registry.metrics()
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  #takeReaders({ waiting, processes, ended }: ReaderFigures): void {
    for (const [lane, count] of Object.entries(waiting)) this.#waiting.set({ lane }, count)
    for (const [state, count] of Object.entries(processes)) this.#processes.set({ state }, count)
    // Counted by the pool; here only taken over.
    this.#ends.reset()
    for (const [reason, count] of Object.entries(ended)) this.#ends.inc({ reason }, count)
  }

  #takeDatasets(datasets: readonly DatasetHealth[], now: number): void {
    // A dataset that is gone must not stay with its last figure.
    for (const gauge of [this.#age, this.#confirmed, this.#state]) gauge.reset()
    for (const { dataset, state, asOf, confirmedAt } of datasets) {
      this.#state.set({ dataset, state }, 1)
      if (asOf !== undefined) this.#age.set({ dataset }, (now - Date.parse(asOf)) / 1000)
      if (confirmedAt) this.#confirmed.set({ dataset }, (now - Date.parse(confirmedAt)) / 1000)
    }
  }

  #counter<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Counter<Label> {
    return new Counter({ name: `stichtag_${name}`, help, labelNames, registers: [this.#registry] })
  }

  #gauge<Label extends string>(name: string, help: string, labelNames: readonly Label[] = []): Gauge<Label> {
    return new Gauge({ name: `stichtag_${name}`, help, labelNames, registers: [this.#registry] })
  }
}
