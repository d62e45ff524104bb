/**
 * Invents companies by the number: the same seed and index always give the same record, whatever came before, so that a
 * million of them need no memory and any one can be made again. Every name is put together from made-up syllables.
 */
import { allCourts, type Court } from './courts.ts'
import {
  type CompanyRecord,
  companyOf,
  firmOf,
  type OfficerRecord,
  personOf,
  type RegisterKind,
  registrationOf,
} from './record.ts'

/** The next number of a sequence, 0 up to but not 1. */
export type Random = () => number

/** A sequence of numbers for a seed and an index (mulberry32). */
export const randomOf = (seed: number, index: number): Random => {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const starts = (
  'Brom Quast Zwirb Knol Fluv Trimp Schnurb Grimb Plod Wenzp Jolv Ürb Öldr Spritzk Klamf Drausk Mölk Hängv Nupp Tirvl ' +
  'Ploß Øhl Łusk Đorv Gnarf Schwupp Pfuhl Zonk Rülz Kwist'
).split(' ')
const middles = 'a e i o u el or ing ul an ez öm'.split(' ')
const firstEnds = 'ine ibald erta olf ulf inde ard wig adis orine ebert une'.split(' ')
const lastEnds = 'moser kowitz inger ßmann hölter büttel zahn ling quist owski bröck traub schläger finsk'.split(' ')
const townEnds = 'au ingen stedt hausen bach rode walde büll'.split(' ')
const wordEnds = 'holm fels tron mat plex werk sol dyn nova land born quell'.split(' ')
const trades = (
  'Handels|Bau|Logistik|Beratungs|Verwaltungs|Immobilien|Metallbau|Software|Gastronomie|Druck|Energie|Beteiligungs|' +
  'Pflegedienst|Grundstücks|Möbel|Fußboden|Kälte- und Klima'
).split('|')
const streets =
  'Musterstraße|Prüfweg|Beispielgasse|Erfinderallee|Probeplatz|Łódkaweg|Øresteig|Đurostraße|An der Stichprobe'.split(
    '|',
  )
const positions = ['Geschäftsführer', 'Geschäftsführer', 'Geschäftsführer', 'Prokurist', 'Prokurist', 'Liquidator']
const soleRight =
  'einzelvertretungsberechtigt mit der Befugnis im Namen der Gesellschaft mit sich im eigenen Namen oder als Vertreter ' +
  'eines Dritten Rechtsgeschäfte abzuschließen'

const pick = <T>(random: Random, list: readonly T[]): T => {
  const chosen = list[Math.floor(random() * list.length)]
  if (chosen === undefined) throw new RangeError('nothing to pick from')
  return chosen
}

const between = (random: Random, low: number, high: number): number => low + Math.floor(random() * (high - low + 1))

const two = (value: number): string => (value < 10 ? `0${value}` : String(value))

const dateBetween = (random: Random, from: number, to: number): string =>
  `${between(random, from, to)}-${two(between(random, 1, 12))}-${two(between(random, 1, 28))}`

const wordOf = (random: Random, ends: readonly string[]): string =>
  pick(random, starts) + pick(random, middles) + pick(random, ends)

/** An invented place. */
export const townOf = (random: Random): string => pick(random, starts) + pick(random, townEnds)

/** An address as the source writes it, with its closing full stop. */
export const addressOf = (random: Random, court: Court, town: string): string =>
  `${pick(random, streets)} ${between(random, 1, 180)}, ${court.postcode}${between(random, 100, 999)} ${town}.`

/** A person in a post, with what the source says of about as many. */
export const officerOf = (random: Random, town: string): OfficerRecord => {
  const first = pick(random, starts) + pick(random, firstEnds)
  const last = wordOf(random, lastEnds)
  const left = random() < 0.4
  return personOf(
    pick(random, positions),
    first,
    last,
    left ? { until: dateBetween(random, 2006, 2018) } : { from: dateBetween(random, 2005, 2018) },
    {
      city: random() < 0.3 ? townOf(random) : town,
      flag: !left && random() < 0.25 ? soleRight : undefined,
      title: random() < 0.03 ? 'Dr.' : undefined,
      reference_no: random() < 0.01 ? between(random, 1, 90) : undefined,
    },
  )
}

const officerCount = (random: Random): number => {
  const share = random()
  if (share < 0.4) return 0
  if (share < 0.93) return between(random, 1, 3)
  return share < 0.998 ? between(random, 4, 8) : between(random, 20, 40)
}

const formOf = (random: Random): { readonly kind: RegisterKind; readonly form: string } => {
  const share = random()
  if (share < 0.66) return { kind: 'HRB', form: 'GmbH' }
  if (share < 0.74) return { kind: 'HRB', form: 'UG (haftungsbeschränkt)' }
  if (share < 0.86) return { kind: 'HRA', form: 'GmbH & Co. KG' }
  if (share < 0.9) return { kind: 'HRA', form: 'e.K.' }
  return share < 0.99 ? { kind: 'VR', form: 'e.V.' } : { kind: 'GnR', form: 'eG' }
}

/** How the companies are numbered: the first register number that is given out. */
export interface InventOptions {
  readonly seed: number
  readonly firstNumber?: number
}

/** The invented company at an index. Company numbers are unique per seed; register numbers repeat across courts. */
export const inventCompany = (index: number, { seed, firstNumber = 1 }: InventOptions): CompanyRecord => {
  const random = randomOf(seed, index)
  const court = allCourts[index % allCourts.length]
  if (court === undefined) throw new RangeError(`no company at index ${index}`)
  const { kind, form } = formOf(random)
  const town = random() < 0.5 ? (court.registrar.split(' (')[0] ?? court.registrar) : townOf(random)
  const number = String(firstNumber + Math.floor(index / allCourts.length))
  const core = `${wordOf(random, wordEnds)} ${pick(random, trades)}`
  const officers = Array.from({ length: officerCount(random) }, () => officerOf(random, town))
  if (form === 'GmbH & Co. KG') {
    const partner = `${core} Verwaltungs GmbH, ${town} (Amtsgericht ${court.registrar} HRB ${between(random, 950000, 999999)}).`
    officers.push(firmOf(partner, { from: dateBetween(random, 2005, 2018) }))
  }
  const companyNumber = `${court.code}_${kind}${number}`
  const elsewhere = `${pick(random, allCourts).code}_${kind}${between(random, 950000, 999999)}`
  const moved = random() < 0.04
  return companyOf({
    court,
    kind,
    number,
    name: `${core} ${form}`,
    removed: random() < 0.61,
    office: town,
    ...(random() < 0.35 ? { address: addressOf(random, court, town) } : {}),
    flags: random() < 0.4 ? ['AD', 'CD', 'DK', 'HD', 'SI', 'UT', 'VÖ'] : ['CD', 'HD', 'UT', 'VÖ'],
    officers,
    previousNames: random() < 0.2 ? [`${wordOf(random, wordEnds)} ${pick(random, trades)} ${form}`] : [],
    registrations: moved
      ? [registrationOf(elsewhere, companyNumber, dateBetween(random, 2008, 2018), 'subsequent')]
      : [],
    retrievedAt: `${dateBetween(random, 2017, 2018)}T${two(between(random, 0, 23))}:${two(between(random, 0, 59))}:${two(between(random, 0, 59))}Z`,
  })
}
