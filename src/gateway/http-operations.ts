/**
 * What operators ask of a gateway, beside MCP and on the same port, so that there is one address to protect:
 *
 *     /healthz   whether the process answers
 *     /readyz    whether it can do what it was started for: 503 while a required dataset cannot be read, and while it ends
 *     /metrics   figures for Prometheus
 *     /settings  which settings there are, and which of them are set
 *
 * Host and Origin are checked as for everything. Probes rarely have a token, so that anybody gets the status of the first
 * two; all else needs a token where MCP does.
 */

import type { Catalogue } from '../catalogue/types.ts'
import { settings } from '../settings.ts'
import { datasetHealth, readinessOf } from './dataset-health.ts'
import type { Metrics } from './metrics.ts'

export const operationPaths = ['/healthz', '/readyz', '/metrics', '/settings'] as const

export type OperationPath = (typeof operationPaths)[number]

export const isOperationPath = (path: string): path is OperationPath => operationPaths.some((known) => known === path)

/** Whether nobody gets anything of a path without a token, where one is needed. */
export const needsToken = (path: OperationPath): boolean => path === '/metrics' || path === '/settings'

export interface Operated {
  readonly catalogue: Catalogue
  readonly metrics: Metrics
  /** Datasets that must be there. */
  readonly required: readonly string[]
  readonly isClosing: boolean
}

const uncached = { 'cache-control': 'no-store' }
const json = (body: unknown, status = 200): Response => Response.json(body, { status, headers: uncached })

/** Answers a GET of one of the paths; `isKnown` says whether the one who asks may see all of it. */
export const operationResponse = async (
  path: OperationPath,
  operated: Operated,
  isKnown: boolean,
): Promise<Response> => {
  switch (path) {
    case '/healthz':
      return json({ ok: true })
    case '/readyz':
      return readyResponse(operated, isKnown)
    case '/metrics': {
      const headers = { ...uncached, 'content-type': operated.metrics.contentType }
      return new Response(await operated.metrics.text(Date.now()), { headers })
    }
    case '/settings':
      return json({ settings: settings.map((each) => ({ ...each, isSet: isSet(each.name) })) })
  }
}

const readyResponse = async ({ catalogue, required, isClosing }: Operated, isKnown: boolean): Promise<Response> => {
  const datasets = await datasetHealth(catalogue)
  const readiness = readinessOf(datasets, required)
  const ready = readiness.ready && !isClosing
  const body = isKnown ? { ...readiness, ready, closing: isClosing, datasets } : { ready }
  return json(body, ready ? 200 : 503)
}

/** Values stay unsaid: a URL may carry a password. Those of one dataset each are set if one is. */
const isSet = (name: string): boolean => {
  const [prefix = '', dataset] = name.split('<')
  if (dataset === undefined) return Boolean(process.env[name])
  return Object.entries(process.env).some(([set, value]) => set.startsWith(prefix) && Boolean(value))
}
