import { describe, expect, it } from 'vitest'
import { accessOf, remoteRateLimit } from '../../src/gateway/access.ts'

describe('access', () => {
  it.each(['127.0.0.1', '127.8.0.1', 'localhost', '::1'])('is free on %s, where only this machine asks', (host) => {
    expect(accessOf({ host })).toEqual({})
  })

  it.each(['0.0.0.0', '::', '192.168.1.4', 'data.example', '1270.0.0.1', '127.0.0.1.example'])(
    'on %s wants to be told: a token file, or open',
    (host) => {
      expect(() => accessOf({ host })).toThrow(expect.objectContaining({ code: 'USAGE' }))
      expect(() => accessOf({ host, open: false })).toThrow(expect.objectContaining({ code: 'USAGE' }))
      expect(accessOf({ host, open: true })).toEqual({ rateLimit: { perSecond: remoteRateLimit } })
      expect(accessOf({ host, tokenFile: 'f' })).toMatchObject({ tokenFile: 'f' })
    },
  )

  it('cannot be both open and for those with a token', () => {
    expect(() => accessOf({ host: '::1', open: true, tokenFile: 'f' })).toThrow(
      expect.objectContaining({ code: 'USAGE' }),
    )
  })

  it('asks for tokens on loopback too where there is a file', () => {
    expect(accessOf({ host: '127.0.0.1', tokenFile: 'f' })).toEqual({ tokenFile: 'f' })
  })

  it('has the rate limit that is said, and none for 0', () => {
    expect(accessOf({ host: '127.0.0.1', rateLimit: 5 })).toEqual({ rateLimit: { perSecond: 5 } })
    expect(accessOf({ host: '0.0.0.0', open: true, rateLimit: 0 })).toEqual({})
  })
})
