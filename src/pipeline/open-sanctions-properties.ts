/**
 * What properties of FollowTheMoney entities mean for a sanctions list. The model has hundreds of them and grows; all are
 * kept as they are, and only what is known to be a name, a number or a reference is put where it can be looked for.
 * Source: the schemata of github.com/opensanctions/followthemoney.
 */

export interface NameKind {
  readonly kind: 'primary' | 'former' | 'alias'
  readonly strength: 'strong' | 'weak'
}

/** Parts of names (`firstName`, …) are none of them: whoever shares one is nobody in particular. */
export const nameProperties: Readonly<Record<string, NameKind>> = {
  name: { kind: 'primary', strength: 'strong' },
  alias: { kind: 'alias', strength: 'strong' },
  previousName: { kind: 'former', strength: 'strong' },
  // Not for screening, says the model itself.
  weakAlias: { kind: 'alias', strength: 'weak' },
  abbreviation: { kind: 'alias', strength: 'weak' },
}

export const birthProperties: ReadonlySet<string> = new Set(['birthDate', 'birthPlace', 'birthCountry'])

/** Countries that an entity has to do with, whichever way. */
export const countryProperties: ReadonlySet<string> = new Set([
  'country',
  'nationality',
  'citizenship',
  'jurisdiction',
  'mainCountry',
  'flag',
])

const namedIdentifiers = new Set([
  'bvdId',
  'callSign',
  'icijId',
  'identifiers',
  'isin',
  'mmsi',
  'publicKey',
  'swiftBic',
  'ticker',
  'uniqueEntityId',
  'wikidataId',
])

/** Classifications: thousands share one. */
const noIdentifiers = new Set([
  'caemCode',
  'coatoCode',
  'fnsCode',
  'fssCode',
  'ipoCode',
  'kppCode',
  'okopfCode',
  'okpoCode',
  'oksmCode',
  'okvedCode',
  'postalCode',
])

/** Whether a property is a number that tells its holder from others. */
export const isIdentifier = (property: string): boolean =>
  namedIdentifiers.has(property) || (/(?:Number|Code)$/.test(property) && !noIdentifiers.has(property))

/** Properties that hold ids of other entities. */
export const referenceProperties: ReadonlySet<string> = new Set([
  'addressEntity',
  'agent',
  'asset',
  'associate',
  'bank',
  'beneficiary',
  'client',
  'creditor',
  'debtor',
  'director',
  'employee',
  'employer',
  'entity',
  'holder',
  'involved',
  'issuer',
  'member',
  'object',
  'operator',
  'organization',
  'organizer',
  'owner',
  'parent',
  'participant',
  'payer',
  'person',
  'post',
  'predecessor',
  'proof',
  'relative',
  'subject',
  'successor',
])

/** Schemata of documents that a person or firm holds. */
export const documentSchemata: ReadonlySet<string> = new Set(['Identification', 'Passport'])
