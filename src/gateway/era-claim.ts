/** What a request says of its era, before the SDK looks at it. */
import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Whether a request claims to be of the modern era: it says which revision it speaks. The SDK has every such request, right
 * or wrong, answered by the modern side (`isLegacyRequest`), except for an `initialize`, at which it looks closer; it says the
 * same after checking the whole request, which the modern side does again (20 of 600 µs).
 */
export const claimsModern = (body: unknown): boolean => {
  if (!isObject(body) || typeof body.method !== 'string' || body.method === 'initialize') return false
  if ('result' in body || 'error' in body) return false
  const { params } = body
  return isObject(params) && isObject(params._meta) && PROTOCOL_VERSION_META_KEY in params._meta
}
