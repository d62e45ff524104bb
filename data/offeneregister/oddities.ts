/**
 * Invented companies that show the oddities of the source: flags, former courts, noise in names, officers of every make,
 * register numbers that repeat.
 */
import { courts } from './courts.ts'
import { addressOf, officerOf, randomOf } from './invent.ts'
import { type CompanyRecord, companyOf, firmOf, type OfficerRecord, personOf, registrationOf } from './record.ts'

const director = 'Geschäftsführer'
const proxy = 'Prokurist'
const everything = ['AD', 'CD', 'DK', 'HD', 'SI', 'UT', 'VÖ']

/** A company with more officers than fit on a screen. */
const manyOfficers = (): readonly OfficerRecord[] => {
  const random = randomOf(900, 0)
  return Array.from({ length: 36 }, () => officerOf(random, 'Musterstadt'))
}

/** One company or more for each oddity. */
export const oddCompanies: readonly CompanyRecord[] = [
  companyOf({
    court: courts.wiesbaden,
    kind: 'HRA',
    number: '900127',
    formerCourt: 'Rüdesheim',
    name: 'Weinprobe Zwirbelholm GmbH & Co. KG',
    office: 'Wiesbaden',
    flags: ['DK', 'HD', 'UT', 'VÖ'],
    officers: [
      firmOf(
        'Zwirbelholm Verwaltungs GmbH, Wiesbaden (Amtsgericht Wiesbaden HRB 900128), mit der Befugnis -auch für die ' +
          'jeweiligen Geschäftsführer der persönlich haftenden Gesellschafterin-, im Namen der Gesellschaft mit sich im ' +
          'eigenen Namen oder als Vertreter eines Dritten Rechtsgeschäfte abzuschließen.',
        { from: '2015-06-02' },
      ),
      firmOf('Knolmfels Verwaltungs GmbH, Probeburg (AG Mainz HRB 900245).', { until: '2015-06-01' }),
    ],
    retrievedAt: '2018-11-13T13:18:04Z',
  }),
  companyOf({
    court: courts.wiesbaden,
    kind: 'HRB',
    number: '900557',
    name: 'Umzugsprobe International GmbH',
    removed: true,
    office: 'Mainz',
    flags: ['', 'Status information'],
    officers: [
      personOf(
        director,
        'Probettina geborene Probandel',
        'Kirschmuster',
        { from: '2008-04-25' },
        { flag: 'sole representation' },
      ),
      personOf(
        director,
        'Doktorius',
        'Doctor Quastinger',
        { from: '2007-10-01' },
        { city: 'Eppstein', title: 'Prof.' },
      ),
    ],
    registrations: [registrationOf('M1906_HRB900557', 'T2304V_HRB900201', '2013-03-15', 'previous')],
    retrievedAt: '2018-11-13T13:09:45Z',
  }),
  companyOf({
    court: courts.mainz,
    kind: 'HRB',
    number: '900201',
    name: 'Umzugsprobe International GmbH',
    office: 'Mainz',
    address: 'Zur Mustermühle 5, 55124 Mainz.',
    officers: [
      // The source has both dates for a few, and says `dismissed` of them all the same.
      {
        ...personOf(
          proxy,
          'Holdine',
          'Zwackelmuster',
          { until: '2017-05-17' },
          { city: 'Bingen', maidenname: 'Probandel' },
        ),
        start_date: '2013-03-15',
      },
      personOf(director, 'Probettina', 'Kirschmuster', { from: '2013-03-15' }, { city: 'Mainz', reference_no: 3 }),
      personOf(director, 'Probettina', 'Kirschmuster', { from: '2013-03-15' }, { city: 'Mainz', reference_no: 3 }),
    ],
    registrations: [registrationOf('M1906_HRB900557', 'T2304V_HRB900201', '2013-03-15', 'subsequent')],
    retrievedAt: '2018-10-16T11:40:57Z',
  }),
  companyOf({
    court: courts.berlin,
    kind: 'HRB',
    number: '900222',
    suffix: 'B',
    name: 'Quastenfels Datenhandlung GmbH',
    office: 'Berlin',
    address: 'Straße der Stichproben 17 a, 10117 Berlin.',
    flags: [...everything, 'Note:'],
    officers: [
      personOf(director, 'Musterike', 'Altnamer', { from: '2014-09-01' }, { city: 'Berlin' }),
      personOf(proxy, 'Zonkolf', 'Pfuhlquist', { from: '2016-02-01' }),
    ],
    registrations: [registrationOf('K1101R_HRB900111', 'F1103R_HRB900222B', '2014-09-01', 'subsequent')],
    retrievedAt: '2019-01-15T08:00:00Z',
  }),
  companyOf({
    court: courts.koeln,
    kind: 'HRB',
    number: '900600',
    name: 'Vergehwohl Abwicklungs GmbH',
    office: 'Köln',
    address: 'Erfinderallee 88, 50667 Köln.',
    officers: [personOf('Liquidator', 'Endefried', 'Schlussmuster', { from: '2017-12-31' }, { city: 'Köln' })],
    previousNames: ['Komminsleben Gründungs GmbH', 'Bleibdabei Mittelstands GmbH'],
    retrievedAt: '2018-12-31T23:00:00Z',
  }),
  companyOf({
    court: courts.mainz,
    kind: 'GnR',
    number: '900005',
    name: 'Winzergenossenschaft Probeburg-Musterthal eG',
    office: 'Probeburg',
    address: 'An der Kelter.',
    officers: manyOfficers(),
    retrievedAt: '2018-07-07T07:07:07Z',
  }),
  companyOf({
    court: courts.hamburg,
    kind: 'HRB',
    number: '900005',
    name: 'Elbkante Zwillingsprobe GmbH',
    office: 'Hamburg',
    registrations: [registrationOf('X1721R_HRB900777', 'K1101R_HRB900005', '2018-09-03', 'subsequent')],
    retrievedAt: '2018-10-16T12:00:17Z',
  }),
  companyOf({
    court: courts.bremen,
    kind: 'HRB',
    number: '900005',
    name: 'Weserkante Zwillingsprobe GmbH',
    removed: true,
    office: 'Bremen (Amtsgericht Hamburg HRB 900006)',
    registrations: [registrationOf('H1101_HRB900005', 'K1101R_HRB900006', '2016-10-13', 'previous')],
    retrievedAt: '2018-10-16T12:04:50Z',
  }),
  companyOf({
    court: courts.stendal,
    kind: 'PR',
    number: '900008',
    name: 'Muster, Beispiel & Partner Probestatiker PartG mbB',
    office: 'Stendal',
    address: addressOf(randomOf(900, 1), courts.stendal, 'Stendal'),
    officers: [personOf('Partner', 'Statikus', 'Beispielmann', { from: '2018-04-01' }, { city: 'Stendal' })],
    retrievedAt: '2018-11-30T16:20:00Z',
  }),
  companyOf({
    court: courts.braunschweig,
    kind: 'HRB',
    number: '900830',
    name: 'Löwenprobe Kälte- und Klima GmbH',
    removed: true,
    office: 'Braunschweig',
    retrievedAt: '2017-06-20T04:24:35Z',
  }),
]
