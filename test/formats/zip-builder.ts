/** Zip archives made by hand, byte by byte, right and wrong. */
import { crc32, deflateRawSync } from 'node:zlib'

/** A member; everything but name and content says how it differs from a plain deflated one. */
export interface Member {
  readonly name: string | Buffer
  readonly content?: string | Buffer
  readonly stored?: boolean
  /** Compression method that is named, whatever the bytes are. */
  readonly method?: number
  readonly flags?: number
  /** Size that both headers declare. */
  readonly declaredSize?: number
  readonly checksum?: number
  /** Sizes and checksum follow the bytes, and the local header has none: what a program writes that cannot go back. */
  readonly dataDescriptor?: boolean
  /** Sizes stand in extra fields of 64 bits. */
  readonly zip64?: boolean
}

const utf8Flag = 0x800
const descriptorFlag = 0x8
const inExtra = 0xffffffff

const bytesOf = (content: string | Buffer): Buffer => (typeof content === 'string' ? Buffer.from(content) : content)
const u16 = (...values: readonly number[]): Buffer => {
  const buffer = Buffer.alloc(values.length * 2)
  for (const [index, value] of values.entries()) buffer.writeUInt16LE(value, index * 2)
  return buffer
}
const u32 = (...values: readonly number[]): Buffer => {
  const buffer = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) buffer.writeUInt32LE(value, index * 4)
  return buffer
}
const u64 = (...values: readonly number[]): Buffer => {
  const buffer = Buffer.alloc(values.length * 8)
  for (const [index, value] of values.entries()) buffer.writeBigUInt64LE(BigInt(value), index * 8)
  return buffer
}

interface Packed {
  readonly local: Buffer
  readonly central: (offset: number) => Buffer
}

const packed = (member: Member): Packed => {
  const content = bytesOf(member.content ?? '')
  const data = member.stored ? content : deflateRawSync(content)
  const name = bytesOf(member.name)
  const text = typeof member.name === 'string' ? utf8Flag : 0
  const flags = (member.flags ?? text) | (member.dataDescriptor ? descriptorFlag : 0)
  const method = member.method ?? (member.stored ? 0 : 8)
  const checksum = member.checksum ?? crc32(content)
  const size = member.declaredSize ?? content.length
  const sizes = member.zip64 ? u32(inExtra, inExtra) : u32(data.length, size)
  const extra = (offset?: number): Buffer => {
    if (!member.zip64) return Buffer.alloc(0)
    const fields = u64(size, data.length, ...(offset === undefined ? [] : [offset]))
    return Buffer.concat([u16(1, fields.length), fields])
  }
  const localSizes = member.dataDescriptor ? u32(0, 0, 0) : Buffer.concat([u32(checksum), sizes])
  const local = [
    u32(0x04034b50),
    u16(45, flags, method, 0, 0),
    localSizes,
    u16(name.length, extra().length),
    name,
    extra(),
  ]
  const descriptor = member.dataDescriptor ? [u32(0x08074b50, checksum, data.length, size)] : []
  return {
    local: Buffer.concat([...local, data, ...descriptor]),
    central: (offset) => {
      const more = extra(offset)
      const lengths = u16(name.length, more.length, 0, 0, 0)
      const where = u32(0, member.zip64 ? inExtra : offset)
      const head = [u32(0x02014b50), u16(45, 45, flags, method, 0, 0), u32(checksum), sizes]
      return Buffer.concat([...head, lengths, where, name, more])
    },
  }
}

/** An archive of these members. */
export const zipOf = (...members: readonly Member[]): Buffer => {
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  let offset = 0
  for (const { local, central } of members.map(packed)) {
    locals.push(local)
    centrals.push(central(offset))
    offset += local.length
  }
  const directory = Buffer.concat(centrals)
  const count = members.length
  const zip64 = members.some((member) => member.zip64)
  const end64 = [
    Buffer.concat([u32(0x06064b50), u64(44), u16(45, 45), u32(0, 0), u64(count, count, directory.length, offset)]),
    Buffer.concat([u32(0x07064b50, 0), u64(offset + directory.length), u32(1)]),
  ]
  const counts = zip64 ? u16(0xffff, 0xffff) : u16(count, count)
  const place = zip64 ? u32(inExtra, inExtra) : u32(directory.length, offset)
  const end = Buffer.concat([u32(0x06054b50), u16(0, 0), counts, place, u16(0)])
  return Buffer.concat([...locals, directory, ...(zip64 ? end64 : []), end])
}
