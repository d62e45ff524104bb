import { describe, expect, it } from 'vitest'
import { failure, imported, small } from './gtfs-feed.ts'

describe('from one version of a feed to the next', () => {
  it('a table and a column may come, change and go', async () => {
    const { store, manifest } = await imported({ 'notes.txt': 'stop_id,note\n1,a\n1,a\n2,b\n' })
    const next = await imported({ 'notes.txt': 'stop_id,note\n1,a\n2,c\n', 'more.txt': 'x,y\n1,2\n' }, store)
    expect(next.result.changes).toMatchObject({
      notes: { added: 1, removed: 2, changed: 0 },
      more: { added: 1, removed: 0, changed: 0 },
    })
    const last = await imported({ 'stops.txt': 'stop_id,stop_name,height\n1,Eins,5\n2,Zwei,\n' }, store)
    expect(last.result).toMatchObject({
      outcome: 'published',
      changes: {
        notes: { added: 0, removed: 2, changed: 0 },
        more: { added: 0, removed: 1, changed: 0 },
        stops: { added: 0, removed: 0, changed: 1 },
      },
    })
    expect(manifest()?.tables.map(({ name }) => name)).not.toContain('notes')
    expect(
      manifest()
        ?.tables.find(({ name }) => name === 'stops')
        ?.columns.at(-1),
    ).toMatchObject({ name: 'height' })
  })

  it('a stop reads differently when a line comes to it, though no row of its own changed', async () => {
    const { store } = await imported({})
    const { result } = await imported(
      {
        'routes.txt': 'route_id,route_short_name,route_type\nr,R1,3\nr2,R2,3\n',
        'trips.txt': 'route_id,service_id,trip_id\nr,s,t\nr2,s,t2\n',
        'stop_times.txt': `${small['stop_times.txt']}t2,9:00:00,9:00:00,2,1\n`,
      },
      store,
    )
    expect(result.changes).toMatchObject({ stop_routes: { added: 1, removed: 0, changed: 0 }, stops: { changed: 0 } })
  })

  it('a feed that lost most of its trips is refused, and one whose exceptions went by is not', async () => {
    const days = (count: number): string =>
      ['service_id,date,exception_type', ...Array.from({ length: count }, (_, day) => `s,202612${day + 10},1`)].join(
        '\n',
      )
    const trips = (count: number): string =>
      ['route_id,service_id,trip_id', ...Array.from({ length: count }, (_, trip) => `r,s,t${trip || ''}`)].join('\n')
    const { store } = await imported({ 'calendar_dates.txt': days(10), 'trips.txt': trips(10) })
    const fewer = await imported({ 'calendar_dates.txt': days(1), 'trips.txt': trips(9) }, store)
    expect(fewer.result.outcome).toBe('published')
    const broken = await imported({ 'calendar_dates.txt': days(1), 'trips.txt': trips(2) }, store)
    expect(failure(broken.result)).toMatchObject({
      outcome: 'refused',
      code: 'GUARD',
      message: expect.stringContaining('trips shrank'),
    })
  })
})
