/** `stichtag doctor`: examines a store and says what to do. Exit status 3 where something is wrong. */
import { examine } from '../ingest/doctor.ts'
import { checkDataset, datasetsOf } from '../store/snapshots.ts'
import { interruptSignal } from './interrupt.ts'
import { type StoreFlags, writingStore } from './stores.ts'
import { terminal } from './terminal.ts'

export const doctor = async (
  datasets: readonly string[],
  flags: StoreFlags & { readonly json?: boolean },
): Promise<number> => {
  const store = writingStore(flags)
  for (const dataset of datasets) checkDataset(store, dataset)
  const { signal, dispose } = interruptSignal()
  try {
    const findings = await examine(store, datasets, signal)
    const errors = findings.filter((finding) => finding.severity === 'error').length
    if (flags.json === true) terminal.json(findings)
    else {
      for (const { dataset, severity, path, message, advice } of findings) {
        terminal.print(`${dataset ?? 'store'}: ${severity}: ${path}\n  ${message}\n  → ${advice}`)
      }
      const examined = datasets.length > 0 ? datasets : datasetsOf(store)
      terminal.note(
        `${store.root}: ${examined.length} datasets examined, ${errors} errors, ${findings.length - errors} other findings`,
      )
    }
    return errors > 0 ? 3 : 0
  } finally {
    dispose()
  }
}
