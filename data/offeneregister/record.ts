/**
 * The shape of one line of `de_companies_ocdata.jsonl`, as OffeneRegister published it. The source writes every object's
 * keys in alphabetical order; so do the builders here, because `JSON.stringify` keeps the order of construction.
 */
import type { Court } from './courts.ts'

export type RegisterKind = 'HRA' | 'HRB' | 'GnR' | 'VR' | 'PR'

/** What the source says of a person beyond name and position. */
export interface OfficerAttributes {
  readonly city?: string | undefined
  readonly dismissed?: true | undefined
  readonly firstname?: string | undefined
  readonly flag?: string | undefined
  readonly lastname?: string | undefined
  readonly maidenname?: string | undefined
  readonly reference_no?: number | undefined
  readonly title?: string | undefined
}

export interface OfficerRecord {
  readonly end_date?: string | undefined
  readonly name: string
  readonly other_attributes?: OfficerAttributes | undefined
  readonly position: string
  readonly start_date?: string | undefined
  readonly type: 'person' | 'company'
}

interface RegistrationEntity {
  readonly entity_properties: { readonly company_number: string; readonly jurisdiction_code: 'de' }
  readonly entity_type: 'company'
}

export interface RegistrationRecord {
  readonly confidence: 'MEDIUM'
  readonly data_type: 'subsequent-registration'
  readonly previous_entity: RegistrationEntity
  readonly previous_registration_end_date?: string | undefined
  readonly publication_date: string
  readonly retrieved_at: string
  readonly source_url: string
  readonly start_date: string
  readonly start_date_type: 'at'
  readonly subsequent_entity: RegistrationEntity
  readonly subsequent_registration_start_date?: string | undefined
}

export interface CompanyRecord {
  readonly all_attributes: {
    readonly _registerArt: RegisterKind
    readonly _registerNummer: string
    readonly _registerNummerSuffix?: string | undefined
    readonly additional_data: Readonly<Record<string, boolean>>
    readonly federal_state: string
    readonly former_registrar?: string | undefined
    readonly native_company_number: string
    readonly registered_office: string
    readonly registrar: string
  }
  readonly company_number: string
  readonly current_status: 'currently registered' | 'removed'
  readonly jurisdiction_code: 'de'
  readonly name: string
  readonly officers?: readonly OfficerRecord[] | undefined
  readonly previous_names?: readonly { readonly company_name: string }[] | undefined
  readonly registered_address?: string | undefined
  readonly retrieved_at: string
  readonly subsequent_registrations?: readonly RegistrationRecord[] | undefined
}

/** A company as one writes it down: the parts of a record that are not derived from others. */
export interface CompanyDraft {
  readonly court: Court
  readonly kind: RegisterKind
  readonly number: string
  readonly suffix?: string
  readonly formerCourt?: string
  readonly name: string
  readonly removed?: boolean
  readonly office: string
  readonly address?: string
  /** Which documents the register holds; further, odd keys of the source by their name. */
  readonly flags?: readonly string[]
  readonly officers?: readonly OfficerRecord[]
  readonly previousNames?: readonly string[]
  readonly registrations?: readonly RegistrationRecord[]
  readonly retrievedAt: string
}

const usualFlags = ['AD', 'CD', 'DK', 'HD', 'SI', 'UT', 'VÖ']
const oddFlags = ['', 'Note:', 'Status information']

const flagsOf = (set: readonly string[]): Readonly<Record<string, boolean>> => {
  const names = [...usualFlags, ...oddFlags.filter((flag) => set.includes(flag))].sort()
  return Object.fromEntries(names.map((name) => [name, set.includes(name)]))
}

const absentWhenEmpty = <T>(list: readonly T[] | undefined): readonly T[] | undefined =>
  list === undefined || list.length === 0 ? undefined : list

/** The record of a draft. */
export const companyOf = (draft: CompanyDraft): CompanyRecord => {
  const { court, kind, number, suffix, formerCourt } = draft
  const courtName = formerCourt === undefined ? court.registrar : `${court.registrar} früher ${formerCourt}`
  return {
    all_attributes: {
      _registerArt: kind,
      _registerNummer: number,
      _registerNummerSuffix: suffix,
      additional_data: flagsOf(draft.flags ?? ['CD', 'HD', 'UT']),
      federal_state: court.state,
      former_registrar: formerCourt,
      native_company_number: `${courtName} ${kind} ${number}${suffix === undefined ? '' : ` ${suffix}`}`,
      registered_office: draft.office,
      registrar: court.registrar,
    },
    company_number: `${court.code}_${kind}${number}${suffix ?? ''}`,
    current_status: draft.removed === true ? 'removed' : 'currently registered',
    jurisdiction_code: 'de',
    name: draft.name,
    officers: absentWhenEmpty(draft.officers),
    previous_names: absentWhenEmpty(draft.previousNames)?.map((name) => ({ company_name: name })),
    registered_address: draft.address,
    retrieved_at: draft.retrievedAt,
    subsequent_registrations: absentWhenEmpty(draft.registrations),
  }
}

/** When an officer took or left a post: the source drops the start once there is an end. */
export type Term = { readonly from: string } | { readonly until: string }

/** A person in a post. */
export const personOf = (
  position: string,
  firstname: string,
  lastname: string,
  term: Term,
  more: Pick<OfficerAttributes, 'city' | 'flag' | 'maidenname' | 'reference_no' | 'title'> = {},
): OfficerRecord => {
  const left = 'until' in term
  return {
    end_date: left ? term.until : undefined,
    name: `${firstname} ${lastname}`,
    other_attributes: {
      city: more.city,
      dismissed: left ? true : undefined,
      firstname,
      flag: more.flag,
      lastname,
      maidenname: more.maidenname,
      reference_no: more.reference_no,
      title: more.title,
    },
    position,
    start_date: left ? undefined : term.from,
    type: 'person',
  }
}

/** A company in a post: the source leaves its name, seat and powers in one text. */
export const firmOf = (name: string, term: Term): OfficerRecord => {
  const left = 'until' in term
  return {
    end_date: left ? term.until : undefined,
    name,
    other_attributes: left ? { dismissed: true } : undefined,
    position: 'Persönlich haftender Gesellschafter',
    start_date: left ? undefined : term.from,
    type: 'company',
  }
}

/** A move of a company from one register sheet to another, as told on the page of one of the two. */
export const registrationOf = (
  from: string,
  to: string,
  date: string,
  toldBy: 'previous' | 'subsequent',
): RegistrationRecord => ({
  confidence: 'MEDIUM',
  data_type: 'subsequent-registration',
  previous_entity: entityOf(from),
  previous_registration_end_date: toldBy === 'subsequent' ? date : undefined,
  publication_date: date,
  retrieved_at: `${date}T09:15:00Z`,
  source_url: `https://bekanntmachungen.example/${from}/${to}`,
  start_date: date,
  start_date_type: 'at',
  subsequent_entity: entityOf(to),
  subsequent_registration_start_date: toldBy === 'previous' ? date : undefined,
})

const entityOf = (companyNumber: string): RegistrationEntity => ({
  entity_properties: { company_number: companyNumber, jurisdiction_code: 'de' },
  entity_type: 'company',
})
