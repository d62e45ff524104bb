/** From the move of a pointer to the last notification, by the number of subscribed URIs. */
import { boundLine, figure, type Line, seenLine } from '../harness/lines.ts'
import { type BenchRow, sized } from '../harness/row.ts'
import { notify as measureNotify } from '../notify.ts'

const most = [100, 1_000, 10_000] as const
const sizes = { tiny: [10], reduced: most, full: most } as const

export const notify: BenchRow = {
  name: 'notify',
  title: 'A pointer moves, until the last of the subscribed URIs is decided and sent',
  run: async (bench) => {
    const lines: Line[] = []
    for (const uris of sized<readonly number[]>(bench, sizes)) {
      const hosts = Math.min(uris, sized(bench, { tiny: 4, reduced: 500, full: 500 }))
      const { moves, changed } = await measureNotify({
        hosts,
        uris,
        rounds: sized(bench, { tiny: 2, reduced: 3, full: Math.max(2, bench.rounds) }),
      })
      const what = `${uris.toLocaleString('en')} URIs over ${hosts} streams, ${changed} changed`
      const each = moves.map(({ lastMs }) => (lastMs * 1000) / uris)
      const worst = Math.max(...moves.map(({ busyMs }) => busyMs))
      // What a move costs whatever the number (the pointer is noticed, the snapshot opened) is spread over few URIs here.
      const many = uris >= 10_000
      const last = `last told after ${moves.map(({ lastMs }) => figure(lastMs)).join(', ')} ms`
      lines.push(
        many
          ? boundLine({ what, against: 'time per URI', goal: { atMost: 100 }, note: last }, 'µs', each)
          : seenLine(what, 'time per URI', `${figure(Math.max(...each))} µs at worst`, { note: last }),
        boundLine(
          {
            what,
            against: 'longest turn of the main thread',
            goal: { atMost: 20 },
            note: `of processor time at most ${figure(worst)} ms: the rest is other processes`,
          },
          'ms',
          moves.map(({ blockedMs }) => blockedMs),
        ),
        boundLine(
          { what, against: 'notifications that were wrong', goal: { atMost: 0 } },
          '',
          moves.map(({ wrong, told }) => wrong + Math.abs(told - changed)),
        ),
      )
    }
    return lines
  },
}
