/**
 * Two lists of four files each. Three things cannot be told from one line: the end of a long remark is in another file,
 * which is therefore read first; an entry of the consolidated list can be on the SDN list as well, under the same number
 * and with the same addresses and names, which are there once. So what the files said is remembered in the run's state,
 * by its number: what is said again is left out, and what is said otherwise under the same number is kept beside it.
 */
import type { FieldReader, MapContext } from '../../src/pipeline/types.ts'
import { type Remarks, readRemarks } from './remarks.ts'

type Texts = Readonly<Record<string, string | null>>

/** Which of the publisher's lists an entry is on. */
type List = 'SDN' | 'consolidated'

const listOf = (source: string): List => (source.startsWith('cons_') ? 'consolidated' : 'SDN')

const kindOf = (type: string | null): 'former' | 'alias' => (type === 'fka' ? 'former' : 'alias')

/** What the files read so far in this run have said. */
export const listsOf = ({ runState }: MapContext): Lists => {
  const lists = runState.lists instanceof Lists ? runState.lists : new Lists()
  runState.lists = lists
  return lists
}

/**
 * Of the entries of the consolidated list, the share that may be on the SDN list in the very same words: where both are of
 * one day, all that are on both are alike, which is one in seven in 2024, and never more than three in ten up to any place.
 */
const mostAlike = 0.75
/** Entries before which a share says nothing. */
const leastRead = 100

class Lists {
  /** Ends of remarks that were not put to their beginnings yet, by list and number. */
  readonly #continued = new Map<string, string>()
  /** What was said so far, as text, by what it is of. */
  readonly #said = new Map<string, readonly string[]>()
  /** Entries by number, as the first of the lists has them. */
  readonly #entries = new Map<string, { readonly list: List; readonly own: Texts }>()
  /** Entries of the consolidated list read so far, and those of them that the SDN list has in the very same words. */
  readonly #consolidated = { read: 0, alike: 0 }

  /** What was not said of it before, each with its place among all that was, from 1. */
  #fresh<Item>(of: string, items: readonly Item[]): readonly (readonly [number, Item])[] {
    const known = this.#said.get(of) ?? []
    const fresh = items
      .map((item) => ({ item, text: JSON.stringify(item) }))
      .filter(({ text }) => !known.includes(text))
    this.#said.set(of, [...known, ...fresh.map(({ text }) => text)])
    return fresh.map(({ item }, index) => [known.length + index + 1, item])
  }

  /** Its place among what differs under one number; undefined where it was said already. */
  #place(of: string, what: string, row: Texts, context: MapContext): number | undefined {
    const [fresh] = this.#fresh(of, [row])
    if (fresh === undefined) return undefined
    const [place] = fresh
    if (place > 1) context.remark(`${what} of one that is there already, in other words: both are kept`)
    return place
  }

  comment(line: FieldReader, context: MapContext): void {
    const number = line.requiredText('ent_num')
    const remarks = line.requiredText('remarks')
    const list = listOf(context.source)
    const key = `${list} ${number}`
    const [ownPlace] = this.#fresh(`comment of ${key}`, [remarks])
    // A second line for one number goes on where the first ended.
    if (ownPlace !== undefined) this.#continued.set(key, `${this.#continued.get(key) ?? ''}${remarks}`)
    const ordinal = this.#place(`comment ${number}`, 'a comment has the number', { remarks }, context)
    if (ordinal !== undefined) context.emit('sdn_comments', { ent_num: number, ordinal, remarks })
  }

  entry(line: FieldReader, context: MapContext): void {
    const list = listOf(context.source)
    const number = line.requiredText('ent_num')
    const beginning = line.text('Remarks')
    const key = `${list} ${number}`
    const end = this.#continued.get(key)
    this.#continued.delete(key)
    const own = {
      sdn_name: line.requiredText('SDN_Name'),
      sdn_type: line.text('SDN_Type') ?? 'entity',
      program: line.text('Program'),
      title: line.text('Title'),
      call_sign: line.text('Call_Sign'),
      vess_type: line.text('Vess_type'),
      tonnage: line.text('Tonnage'),
      grt: line.text('GRT'),
      vess_flag: line.text('Vess_flag'),
      vess_owner: line.text('Vess_owner'),
      remarks: end === undefined ? beginning : `${beginning ?? ''}${end}`,
    }
    const first = this.#entries.get(number)
    if (list === 'consolidated') this.#consolidated.read += 1
    const said = readRemarks(own.remarks)
    if (first === undefined) {
      this.#entries.set(number, { list, own })
      const { program, ...others } = own
      const programs = (program ?? '').split('] [').filter((each) => each !== '')
      context.emit('sdn', {
        ent_num: number,
        ...others,
        program,
        programs: JSON.stringify(programs),
        nationalities: said.nationalities.length === 0 ? null : JSON.stringify(said.nationalities),
        gender: said.gender,
      })
      context.emit('listing', { ent_num: number, list, program })
    } else this.#listedAgain(number, list, own, first, context)
    this.#emitSaid(number, own.sdn_name, said, context)
  }

  /** An entry that is there already: the other list's, or its own list's by mistake. */
  #listedAgain(
    number: string,
    list: List,
    own: Texts,
    first: { readonly list: List; readonly own: Texts },
    context: MapContext,
  ): void {
    if (list === first.list) context.reject(`entry ${number} is there already, on the same list`)
    const differing = Object.entries(own).filter(([column, value]) => value !== first.own[column])
    if (differing.length === 0) this.#consolidated.alike += 1
    const { read, alike } = this.#consolidated
    if (read >= leastRead && alike > read * mostAlike)
      context.reject(
        `${alike} of ${read} entries are on both lists in the very same words: one of the files sdn.csv and ` +
          'cons_prim.csv is evidently the other, under a wrong name',
      )
    const { program, remarks, ...others } = Object.fromEntries(differing)
    context.emit('listing', {
      ent_num: number,
      list,
      program: own.program,
      remarks: own.remarks,
      otherwise: Object.keys(others).length === 0 ? null : JSON.stringify(others),
    })
  }

  /** The names, births and identifiers that a list gives of an entry, but those that the other list gave. */
  #emitSaid(number: string, sdnName: string, said: Remarks, context: MapContext): void {
    for (const [place, name] of this.#fresh(`name ${number}`, [sdnName])) {
      const row = { ent_num: number, origin: 'sdn', number: place - 1, ordinal: 1, name }
      context.emit('name', { ...row, kind: 'primary', strength: 'strong' })
    }
    for (const [place, { type, name }] of this.#fresh(`weak alias ${number}`, said.weakAliases)) {
      const row = { ent_num: number, origin: 'remarks', number: place, ordinal: 1, name, type }
      context.emit('name', { ...row, kind: kindOf(type), strength: 'weak' })
    }
    for (const [ordinal, birth] of this.#fresh(`birth ${number}`, said.births))
      context.emit('birth', { ent_num: number, ordinal, ...birth })
    for (const [ordinal, identifier] of this.#fresh(`identifier ${number}`, said.identifiers))
      context.emit('identifier', { ent_num: number, ordinal, ...identifier })
  }

  address(line: FieldReader, context: MapContext): void {
    const number = line.requiredText('ent_num')
    const address = line.requiredText('add_num')
    const row = {
      address: line.text('address'),
      city_state_province: line.text('city'),
      country: line.text('country'),
      add_remarks: line.text('add_remarks'),
    }
    const ordinal = this.#place(`address ${number} ${address}`, 'an address has the number', row, context)
    if (ordinal !== undefined) context.emit('address', { ent_num: number, add_num: address, ordinal, ...row })
  }

  alternate(line: FieldReader, context: MapContext): void {
    const number = line.requiredText('ent_num')
    const alternate = line.requiredText('alt_num')
    const row = {
      alt_type: line.text('alt_type'),
      alt_name: line.requiredText('alt_name'),
      alt_remarks: line.text('alt_remarks'),
    }
    const ordinal = this.#place(`alternate ${number} ${alternate}`, 'a name has the number', row, context)
    if (ordinal === undefined) return
    context.emit('alt_name', { ent_num: number, alt_num: alternate, ordinal, ...row })
    context.emit('name', {
      ent_num: number,
      origin: 'alt_name',
      number: alternate,
      ordinal,
      name: row.alt_name,
      type: row.alt_type,
      note: row.alt_remarks,
      kind: kindOf(row.alt_type),
      strength: 'strong',
    })
  }
}
