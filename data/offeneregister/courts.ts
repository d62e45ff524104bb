/** Some real register courts: code, name and state (in English) as the source writes them. */

export interface Court {
  readonly code: string
  readonly registrar: string
  readonly state: string
  /** First digits of postal codes near the court. */
  readonly postcode: string
}

export const courts = {
  berlin: { code: 'F1103R', registrar: 'Berlin (Charlottenburg)', state: 'Berlin', postcode: '10' },
  braunschweig: { code: 'P1103', registrar: 'Braunschweig', state: 'Lower Saxony', postcode: '38' },
  bremen: { code: 'H1101', registrar: 'Bremen', state: 'Bremen', postcode: '28' },
  dresden: { code: 'U1104', registrar: 'Dresden', state: 'Saxony', postcode: '01' },
  frankfurt: { code: 'M1201', registrar: 'Frankfurt am Main', state: 'Hesse', postcode: '60' },
  hamburg: { code: 'K1101R', registrar: 'Hamburg', state: 'Hamburg', postcode: '22' },
  koeln: { code: 'R3306', registrar: 'Köln', state: 'North Rhine-Westphalia', postcode: '50' },
  luebeck: { code: 'X1721R', registrar: 'Lübeck', state: 'Schleswig-Holstein', postcode: '23' },
  mainz: { code: 'T2304V', registrar: 'Mainz', state: 'Rhineland-Palatinate', postcode: '55' },
  muenchen: { code: 'D2601V', registrar: 'München', state: 'Bavaria', postcode: '80' },
  stendal: { code: 'W1215', registrar: 'Stendal', state: 'Saxony-Anhalt', postcode: '39' },
  stuttgart: { code: 'B8534', registrar: 'Stuttgart', state: 'Baden-Württemberg', postcode: '70' },
  wiesbaden: { code: 'M1906', registrar: 'Wiesbaden', state: 'Hesse', postcode: '65' },
} as const satisfies Record<string, Court>

export const allCourts: readonly Court[] = Object.values(courts)
