/** The columns of the files, which have no header, in their order; somebody adds one with these names now and then. */

export const entryColumns = [
  'ent_num',
  'SDN_Name',
  'SDN_Type',
  'Program',
  'Title',
  'Call_Sign',
  'Vess_type',
  'Tonnage',
  'GRT',
  'Vess_flag',
  'Vess_owner',
  'Remarks',
] as const

/** `city` is city, state or province, and postal code, in one text. */
export const addressColumns = ['ent_num', 'add_num', 'address', 'city', 'country', 'add_remarks']

export const alternateColumns = ['ent_num', 'alt_num', 'alt_type', 'alt_name', 'alt_remarks']

export const commentColumns = ['ent_num', 'remarks']
