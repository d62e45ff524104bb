/**
 * Which of FlowMCP's dialects a schema is written in. All but the last call themselves version 3, so it is told by the
 * fields its resources have.
 */
import type { RawMain } from './raw.ts'
import type { Dialect } from './types.ts'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const valuesOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  isObject(value) ? Object.values(value).filter(isObject) : []

export const dialectOf = (main: Pick<RawMain, 'version' | 'resources'>): Dialect => {
  if (main.version.startsWith('4.')) return '4.x'
  const resources = valuesOf(main.resources)
  const queries = resources.flatMap((resource) => valuesOf(resource.queries))
  const has = (field: string): boolean => resources.some((resource) => field in resource)
  if (has('mode') || (has('origin') && !has('database'))) return '3.1'
  if (has('origin')) return 'D-docs'
  const parameters = queries.flatMap((query) => (Array.isArray(query.parameters) ? query.parameters : []))
  if (parameters.some((parameter) => isObject(parameter) && 'key' in parameter)) return 'D-flat'
  const dynamic = queries.some((query) => query.sql === '{{DYNAMIC_SQL}}')
  const elsewhere = resources.some(({ database }) => typeof database === 'string' && /^(~\/|\/)/.test(database))
  if (has('lifecycle') || dynamic || elsewhere) return '3.0b'
  if (parameters.some((parameter) => isObject(parameter) && 'position' in parameter)) return '3.0a'
  const byName = queries.some((query) => isObject(query.parameters))
  return byName || resources.length === 0 ? 'D-docs' : queries.some((query) => 'output' in query) ? '3.0a' : 'D-flat'
}
