/**
 * Two lists of four files each. Three things cannot be told from one line: the end of a long remark is in another file,
 * which is therefore read first; an entry of the consolidated list can be on the SDN list as well, under the same number
 * and with the same addresses and names, which are there once. So the numbers read are remembered in the run's state.
 */
import type { FieldReader, MapContext } from '../../src/pipeline/types.ts'
import { readRemarks } from './remarks.ts'

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

class Lists {
  /** Ends of remarks that were not put to their beginnings yet, by list and number. */
  readonly #continued = new Map<string, string>()
  readonly #seen = new Set<string>()

  /** Whether it is there for the first time. */
  #isNew(...key: readonly string[]): boolean {
    const seenAs = key.join(' ')
    const isNew = !this.#seen.has(seenAs)
    this.#seen.add(seenAs)
    return isNew
  }

  comment(line: FieldReader, context: MapContext): void {
    const number = line.requiredText('ent_num')
    const remarks = line.requiredText('remarks')
    this.#continued.set(`${listOf(context.source)} ${number}`, remarks)
    if (this.#isNew('comment', number)) context.emit('sdn_comments', { ent_num: number, remarks })
  }

  entry(line: FieldReader, context: MapContext): void {
    const list = listOf(context.source)
    const number = line.requiredText('ent_num')
    const name = line.requiredText('SDN_Name')
    const program = line.text('Program')
    const beginning = line.text('Remarks')
    const key = `${list} ${number}`
    const end = this.#continued.get(key)
    this.#continued.delete(key)
    const remarks = end === undefined ? beginning : `${beginning ?? ''}${end}`
    const programs = (program ?? '').split('] [').filter((each) => each !== '')
    if (!this.#isNew('entry', number)) {
      context.emit('listing', { ent_num: number, list, program, remarks })
      return
    }
    const { weakAliases, births, identifiers, nationalities, gender } = readRemarks(remarks)
    context.emit('sdn', {
      ent_num: number,
      sdn_name: name,
      sdn_type: line.text('SDN_Type') ?? 'entity',
      program,
      programs: JSON.stringify(programs),
      title: line.text('Title'),
      call_sign: line.text('Call_Sign'),
      vess_type: line.text('Vess_type'),
      tonnage: line.text('Tonnage'),
      grt: line.text('GRT'),
      vess_flag: line.text('Vess_flag'),
      vess_owner: line.text('Vess_owner'),
      remarks,
      nationalities: nationalities.length === 0 ? null : JSON.stringify(nationalities),
      gender,
    })
    context.emit('listing', { ent_num: number, list, program })
    context.emit('name', { ent_num: number, origin: 'sdn', number: 0, name, kind: 'primary', strength: 'strong' })
    for (const [index, alias] of weakAliases.entries()) {
      const kind = kindOf(alias.type)
      const row = { ent_num: number, origin: 'remarks', number: index + 1, name: alias.name, type: alias.type }
      context.emit('name', { ...row, kind, strength: 'weak' })
    }
    for (const [index, birth] of births.entries()) {
      context.emit('birth', { ent_num: number, ordinal: index + 1, ...birth })
    }
    for (const [index, identifier] of identifiers.entries()) {
      context.emit('identifier', { ent_num: number, ordinal: index + 1, ...identifier })
    }
  }

  address(line: FieldReader, context: MapContext): void {
    const number = line.requiredText('ent_num')
    const address = line.requiredText('add_num')
    if (!this.#isNew('address', number, address)) return
    context.emit('address', {
      ent_num: number,
      add_num: address,
      address: line.text('address'),
      city_state_province: line.text('city'),
      country: line.text('country'),
      add_remarks: line.text('add_remarks'),
    })
  }

  alternate(line: FieldReader, context: MapContext): void {
    const number = line.requiredText('ent_num')
    const alternate = line.requiredText('alt_num')
    if (!this.#isNew('alternate', number, alternate)) return
    const type = line.text('alt_type')
    const name = line.requiredText('alt_name')
    const remarks = line.text('alt_remarks')
    context.emit('alt_name', {
      ent_num: number,
      alt_num: alternate,
      alt_type: type,
      alt_name: name,
      alt_remarks: remarks,
    })
    const row = { ent_num: number, origin: 'alt_name', number: alternate, name, type, note: remarks }
    context.emit('name', { ...row, kind: kindOf(type), strength: 'strong' })
  }
}
