/**
 * The sample's two versions: the first is what is written by hand and what is invented by the number; the second is the
 * first with the edits below. README.md beside this file lists them for people, and a test compares the two.
 */
import { courts } from './courts.ts'
import { inventCompany } from './invent.ts'
import { type CompanyRecord, companyOf, firmOf, type OfficerRecord, personOf, registrationOf } from './record.ts'
import { writtenCompanies } from './written.ts'

const inventedCount = 48

/** Records of the version of 2026-10-01. */
export const firstVersion = (): readonly CompanyRecord[] => [
  ...writtenCompanies,
  ...Array.from({ length: inventedCount }, (_, index) => inventCompany(index, { seed: 2026, firstNumber: 910001 })),
]

const removedNumber = 'R3306_HRB900600'
const movedNumber = 'B8534_HRA900501'

type Edit = (record: CompanyRecord) => CompanyRecord

const officersOf = (record: CompanyRecord): readonly OfficerRecord[] => record.officers ?? []

/** What changes, by company number. A record keeps its other fields, `retrieved_at` too. */
const edits: Readonly<Record<string, Edit>> = {
  // A field of the company itself.
  K1101R_HRB150148: (record) => ({ ...record, registered_address: 'Prüfweg 12 b, 22769 Hamburg.' }),
  T2304V_HRB900201: (record) => ({ ...record, current_status: 'removed' }),
  // A new name; the one before joins the previous names.
  M1201_HRB900310: (record) => ({
    ...record,
    name: 'Nordprobe Übersee GmbH',
    previous_names: [{ company_name: record.name }],
  }),
  // Officers only: one leaves, another comes.
  D2601V_HRB900148: (record) => ({
    ...record,
    officers: [
      ...officersOf(record).map((officer) =>
        officer.name === 'Probus Mueller'
          ? personOf('Geschäftsführer', 'Probus', 'Mueller', { until: '2019-01-31' }, { city: 'Musterstadt' })
          : officer,
      ),
      personOf('Geschäftsführer', 'Neulinde', 'Schmidt', { from: '2019-02-01' }, { city: 'Musterstadt' }),
    ],
  }),
  // Officers only: a person's name changes.
  F1103R_HRB900222B: (record) => ({
    ...record,
    officers: officersOf(record).map((officer) =>
      officer.name === 'Musterike Altnamer'
        ? personOf(
            'Geschäftsführer',
            'Musterike',
            'Neunamer-Altnamer',
            { from: '2014-09-01' },
            { city: 'Berlin', maidenname: 'Altnamer' },
          )
        : officer,
    ),
  }),
  // Previous names only.
  U1104_HRB900410: (record) => ({
    ...record,
    previous_names: [...(record.previous_names ?? []), { company_name: 'Próbkowska Glasversuche GbR' }],
  }),
  // Registrations only.
  X1721R_HRB901162RZ: (record) => ({
    ...record,
    subsequent_registrations: [registrationOf('X1721R_HRB901162RZ', 'K1101R_HRB900902', '2019-02-01', 'previous')],
  }),
}

const added = (): readonly CompanyRecord[] => [
  companyOf({
    court: courts.hamburg,
    kind: 'HRB',
    number: '900902',
    name: 'Øhlenprøve Fischräucherei Hamburg GmbH',
    office: 'Hamburg',
    address: 'Tromsøer Kai 2, 20457 Hamburg.',
    officers: [personOf('Geschäftsführer', 'Bjørnulf', 'Prøvesen', { from: '2019-02-01' }, { city: 'Hamburg' })],
    registrations: [registrationOf('X1721R_HRB901162RZ', 'K1101R_HRB900902', '2019-02-01', 'subsequent')],
    retrievedAt: '2019-02-03T09:00:00Z',
  }),
  companyOf({
    court: courts.braunschweig,
    kind: 'HRA',
    number: '900903',
    name: 'Ringtausch Beteiligungsprobe GmbH & Co. KG',
    office: 'Braunschweig',
    officers: [
      firmOf('Ringtausch Verwaltungsprobe GmbH, Braunschweig (Amtsgericht Braunschweig HRB 900904).', {
        from: '2019-01-20',
      }),
    ],
    retrievedAt: '2019-02-03T09:00:10Z',
  }),
  companyOf({
    court: courts.bremen,
    kind: 'VR',
    number: '900905',
    name: 'Freundeskreis Versuchsballon e.V.',
    office: 'Bremen',
    retrievedAt: '2019-02-03T09:00:20Z',
  }),
]

/** Records of the version of 2026-11-01. */
export const secondVersion = (): readonly CompanyRecord[] => {
  const kept = firstVersion().filter((record) => record.company_number !== removedNumber)
  const stay = kept.filter((record) => record.company_number !== movedNumber)
  const moved = kept.filter((record) => record.company_number === movedNumber)
  return [...stay.map((record) => edits[record.company_number]?.(record) ?? record), ...added(), ...moved]
}
