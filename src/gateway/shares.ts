/**
 * Of what all clients share there is a limit, and of that one client may hold a part: so that one which opens streams,
 * sessions or subscriptions without end takes nothing from the others.
 */
import { StichtagError } from '../errors.ts'

/** How much there is of something, and how much of it one client may hold. */
export interface Limit {
  readonly most: number
  readonly mostOfOne: number
}

/** Part that one client may hold, unless said. */
export const defaultShare = 0.25

export const limitOf = (most: number, share: number): Limit => ({
  most,
  mostOfOne: Math.max(1, Math.floor(most * share)),
})

/** What is held already: by all, and by the client, where it can be told from others. */
export interface HeldSoFar {
  readonly inAll: number
  readonly ofOne?: number | undefined
}

/** What is in the way of `more`: the client's own share, or that all of them hold as much as there is. */
export const obstacle = ({ most, mostOfOne }: Limit, held: HeldSoFar, more = 1): 'own' | 'all' | undefined => {
  if (held.ofOne !== undefined && held.ofOne + more > mostOfOne) return 'own'
  return held.inAll + more > most ? 'all' : undefined
}

/** Throws where `more` subscriptions have no room: USAGE for the client's own share, GATEWAY_FULL for that of all. */
export const checkSubscriptionRoom = (limit: Limit | undefined, held: HeldSoFar, more: number): void => {
  if (limit === undefined) return
  const inTheWay = obstacle(limit, held, more)
  if (inTheWay === 'own') {
    const words = `At most ${limit.mostOfOne} subscriptions are kept for one client, in all its sessions and streams together.`
    throw new StichtagError('USAGE', `${words} It has ${held.ofOne}. Give some up first.`)
  }
  if (inTheWay === 'all') {
    const words = `This gateway keeps ${limit.most} subscriptions of all hosts together, and has no room for ${more} more.`
    throw new StichtagError('GATEWAY_FULL', `${words} Try again later.`)
  }
}
