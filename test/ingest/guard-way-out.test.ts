import { describe, expect, it } from 'vitest'
import { wayOut } from '../../src/ingest/by-hand.ts'

describe('the way out of a refusal', () => {
  it('names each guard by the option that accepts it, once, and the version in quarantine', () => {
    const said = wayOut('places', 'v1', ['max-shrink', 'min-filled', 'max-shrink'], {})
    expect(said).toContain('--accept-shrink --accept min-filled, or: stichtag release places v1')
  })

  it('speaks of clearing the state only where a person gave the delivery', () => {
    expect(wayOut('places', 'v1', ['keys'], {})).not.toContain('clears')
    expect(wayOut('places', 'v1', ['keys'], { from: 'x' })).toContain('clears this state: stichtag ingest places')
  })
})
