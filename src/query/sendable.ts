/**
 * Requests as JSON carries them without loss. Answers need no such thing: their values are those of JSON already. Structured
 * clones would carry all of it as it is, but take three to six times as long.
 */
import { LeastRecentMap } from './least-recent.ts'
import type { ReaderRequest } from './messages.ts'
import type { Parameter, RecordPlan } from './types.ts'

/** A parameter, or what stands for one that JSON has no word for. */
type SentParameter =
  | string
  | number
  | null
  | { readonly integer: string }
  | { readonly real: string }
  | { readonly bytes: string }

type Asked<Kind extends ReaderRequest['kind']> = Extract<ReaderRequest, { kind: Kind }>['request']

/** A request on the channel. A plan is the same for all records of a table, and goes as the text that it was read from. */
export type SentRequest =
  | { readonly kind: 'rows'; readonly request: Sent<'rows', 'parameters', readonly SentParameter[]> }
  | {
      readonly kind: 'digests'
      readonly request: Planned<Sent<'digests', 'keys', readonly (readonly SentParameter[])[]>>
    }
  | {
      readonly kind: 'page'
      readonly request: Planned<Sent<'page', 'key', readonly SentParameter[]>>
      readonly mostRows: number
    }

type Sent<Kind extends ReaderRequest['kind'], Name extends string, Type> = Omit<Asked<Kind>, Name> &
  Readonly<Record<Name, Type>>
type Planned<Request> = Omit<Request, 'plan'> & { readonly plan: string }

const sentParameter = (parameter: Parameter): SentParameter => {
  if (typeof parameter === 'string' || parameter === null) return parameter
  if (typeof parameter === 'bigint') return { integer: String(parameter) }
  if (typeof parameter === 'number') return Number.isFinite(parameter) ? parameter : { real: String(parameter) }
  return { bytes: Buffer.from(parameter).toString('base64') }
}

const parameterOf = (sent: SentParameter): Parameter => {
  if (typeof sent !== 'object' || sent === null) return sent
  if ('integer' in sent) return BigInt(sent.integer)
  return 'real' in sent ? Number(sent.real) : Buffer.from(sent.bytes, 'base64')
}

const texts = new WeakMap<RecordPlan, string>()

const textOf = (plan: RecordPlan): string => {
  const text = texts.get(plan) ?? JSON.stringify(plan)
  texts.set(plan, text)
  return text
}

/** A request for the channel. */
export const sendable = (asked: ReaderRequest): SentRequest => {
  switch (asked.kind) {
    case 'rows':
      return { ...asked, request: { ...asked.request, parameters: asked.request.parameters.map(sentParameter) } }
    case 'digests': {
      const { plan, keys } = asked.request
      const sent = keys.map((key) => key.map(sentParameter))
      return { ...asked, request: { ...asked.request, plan: textOf(plan), keys: sent } }
    }
    case 'page': {
      const { plan, key } = asked.request
      return { ...asked, request: { ...asked.request, plan: textOf(plan), key: key.map(sentParameter) } }
    }
  }
}

const keptPlans = 64
const plans = new LeastRecentMap<string, RecordPlan>(keptPlans)

/** The same object for the same text: what is kept with a plan is found again. */
const planOf = (text: string): RecordPlan => {
  const known = plans.get(text)
  if (known !== undefined) return known
  // Written by `textOf`, which was given one.
  const plan = JSON.parse(text) as RecordPlan
  plans.set(text, plan)
  return plan
}

/** A request as it was before it went over the channel. */
export const received = (sent: SentRequest): ReaderRequest => {
  switch (sent.kind) {
    case 'rows':
      return { ...sent, request: { ...sent.request, parameters: sent.request.parameters.map(parameterOf) } }
    case 'digests': {
      const { plan, keys } = sent.request
      const asked = keys.map((key) => key.map(parameterOf))
      return { ...sent, request: { ...sent.request, plan: planOf(plan), keys: asked } }
    }
    case 'page': {
      const { plan, key } = sent.request
      return { ...sent, request: { ...sent.request, plan: planOf(plan), key: key.map(parameterOf) } }
    }
  }
}
