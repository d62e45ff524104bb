import { describe, expect, it } from 'vitest'
import { RateLimiter } from '../../src/gateway/rate-limit.ts'

describe('the rate limit', () => {
  it('lets a burst through, then as much as is refilled, and says how long to wait', () => {
    const limiter = new RateLimiter({ perSecond: 0.5, burst: 2 })
    expect([0, 1, 2].map(() => limiter.secondsToWait('a', 1000))).toEqual([0, 0, 2])
    expect(limiter.secondsToWait('a', 2000)).toBe(1)
    expect(limiter.secondsToWait('a', 3000)).toBe(0)
    expect(limiter.secondsToWait('a', 3000)).toBe(2)
  })

  it('counts each client for itself', () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 1 })
    expect(limiter.secondsToWait('a', 0)).toBe(0)
    expect(limiter.secondsToWait('b', 0)).toBe(0)
    expect(limiter.secondsToWait('a', 0)).toBe(1)
  })

  it('saves up no more than a burst, and is not moved by a clock that goes back', () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 2 })
    limiter.secondsToWait('a', 5000)
    expect([0, 1, 2].map(() => limiter.secondsToWait('a', 1_000_000))).toEqual([0, 0, 1])
    expect(limiter.secondsToWait('a', 0)).toBe(1)
  })

  it('keeps nothing of clients that have been away long enough', () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 1 })
    for (let client = 0; client < 10_000; client += 1) limiter.secondsToWait(String(client), 0)
    limiter.secondsToWait('late', 10_000)
    expect(limiter.size).toBe(1)
  })
})
