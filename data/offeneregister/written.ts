/**
 * The companies of the sample that are written by hand: each shows something the real source does. All are invented.
 * Register numbers are from 900000 up, where no court has got to, but for the one that documents of others cite.
 */
import { courts } from './courts.ts'
import { oddCompanies } from './oddities.ts'
import { type CompanyRecord, companyOf, personOf } from './record.ts'

const generalRight = 'vertretungsberechtigt gemäß allgemeiner Vertretungsregelung'
const director = 'Geschäftsführer'
const proxy = 'Prokurist'
const board = 'Vorstand'
const everything = ['AD', 'CD', 'DK', 'HD', 'SI', 'UT', 'VÖ']

/** The company that other people's examples and tests look up by its number. */
const cited = companyOf({
  court: courts.hamburg,
  kind: 'HRB',
  number: '150148',
  name: 'Stichprobe Nordelbe UG (haftungsbeschränkt)',
  office: 'Hamburg',
  address: 'Musterallee 1, 22769 Hamburg.',
  flags: ['AD', 'CD', 'DK', 'SI', 'UT'],
  officers: [
    personOf(director, 'Probine', 'Musterfrau', { from: '2018-02-06' }, { city: 'Hamburg', flag: generalRight }),
  ],
  retrievedAt: '2018-11-09T18:03:03Z',
})

/** Names that people search for, with officers whose names have two spellings. */
const searched: readonly CompanyRecord[] = [
  companyOf({
    court: courts.muenchen,
    kind: 'HRB',
    number: '900148',
    name: 'Siemens-Testgelände Musterstadt GmbH (erfunden)',
    office: 'Musterstadt',
    address: 'Prüfstandstraße 9, 80997 Musterstadt.',
    flags: everything,
    officers: [
      personOf(director, 'Erfundus', 'Schmidt', { until: '2015-06-30' }, { city: 'München' }),
      personOf(director, 'Probus', 'Mueller', { from: '2015-07-01' }, { city: 'Musterstadt', flag: generalRight }),
      personOf(director, 'Fiktiva', 'Müller', { from: '2016-01-15' }, { city: 'Beispielhausen', title: 'Dr.' }),
      personOf(proxy, 'Attrappine', 'Schmidt', { from: '2017-03-20' }, { city: 'Musterstadt' }),
    ],
    retrievedAt: '2018-09-12T07:41:10Z',
  }),
  companyOf({
    court: courts.berlin,
    kind: 'VR',
    number: '900016',
    suffix: 'B',
    name: 'Siemens-Lesezirkel Beispielhausen e.V. (erfunden)',
    office: 'Berlin',
    flags: ['HD'],
    officers: [personOf(board, 'Musterine', 'Müller', { from: '2011-05-02' }, { city: 'Berlin' })],
    retrievedAt: '2018-03-01T12:00:00Z',
  }),
  companyOf({
    court: courts.muenchen,
    kind: 'VR',
    number: '900772',
    name: 'BMW-Oldtimerfreunde Probeburg e.V. (erfunden)',
    office: 'Probeburg',
    address: 'Auspuffgasse 3, 80333 Probeburg.',
    officers: [
      personOf(board, 'Karossius', 'Schmidt', { from: '2012-10-10' }, { city: 'Probeburg' }),
      personOf(board, 'Vergaserine', 'Mueller', { until: '2012-10-09' }, { city: 'Probeburg' }),
    ],
    retrievedAt: '2018-08-20T05:30:44Z',
  }),
  companyOf({
    court: courts.stuttgart,
    kind: 'HRB',
    number: '900773',
    name: 'BMW-Dachkantenprüfung GmbH (erfunden)',
    removed: true,
    office: 'Stuttgart',
    officers: [personOf('Liquidator', 'Probus', 'Mueller', { from: '2014-02-28' }, { city: 'Musterstadt' })],
    previousNames: ['Dachkanten-Erprobung Probus GmbH (erfunden)'],
    retrievedAt: '2018-06-28T19:41:27Z',
  }),
]

/** Letters: ß, ł, ø, đ and umlauts in names, streets and places. */
const lettered: readonly CompanyRecord[] = [
  companyOf({
    court: courts.dresden,
    kind: 'HRB',
    number: '900410',
    name: 'Próbkowska & Łąkotest Glasbläserei GmbH',
    office: 'Beispielnitz',
    address: 'Łódkaweg 4 c, 01097 Beispielnitz.',
    officers: [personOf(director, 'Łucjana', 'Próbkowska', { from: '2013-04-05' }, { city: 'Beispielnitz' })],
    previousNames: ['Łąkotest Glasbläserei UG (haftungsbeschränkt)'],
    retrievedAt: '2018-05-05T05:05:05Z',
  }),
  companyOf({
    court: courts.luebeck,
    kind: 'HRB',
    number: '901162',
    suffix: 'RZ',
    name: 'Øhlenprøve Fischräucherei GmbH',
    office: 'Groß Probenau',
    address: 'Tromsøer Steig 7, 23552 Groß Probenau.',
    officers: [
      personOf(director, 'Bjørnulf', 'Prøvesen', { from: '2009-11-11' }, { city: 'Groß Probenau' }),
      personOf(proxy, 'Straßburga', 'Weißnichtßon', { from: '2010-01-01' }, { city: 'Lübeck' }),
    ],
    retrievedAt: '2018-10-02T23:59:59Z',
  }),
  companyOf({
    court: courts.stuttgart,
    kind: 'HRA',
    number: '900501',
    name: 'Đorđe-Probenverlag e.K.',
    office: 'Ößlingen an der Probe',
    address: 'Đurostraße 1, 70199 Ößlingen an der Probe.',
    officers: [
      personOf('Inhaber', 'Đurđina', 'Primjerović', { from: '2006-06-06' }, { city: 'Ößlingen an der Probe' }),
    ],
    retrievedAt: '2018-01-31T07:05:03Z',
  }),
  companyOf({
    court: courts.frankfurt,
    kind: 'HRB',
    number: '900310',
    name: '„Ämterprobe“ Übersee GmbH & Töchter',
    office: 'Frankfurt am Main',
    address: 'c/o Büro Öldrau, Erfinderallee 100, 60311 Frankfurt am Main',
    officers: [personOf(director, 'Ungefähra', 'Öttelmuster', { from: '2016-08-01' }, { city: 'Frankfurt am Main' })],
    retrievedAt: '2018-12-24T10:00:00Z',
  }),
]

/** All companies written by hand, the cited one first. */
export const writtenCompanies: readonly CompanyRecord[] = [cited, ...searched, ...lettered, ...oddCompanies]
