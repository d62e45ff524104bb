/** The part of seek-bzip that is used: it carries no types of its own. */
declare module 'seek-bzip' {
  interface Source {
    readByte(): number
    read(buffer: Uint8Array, offset: number, length: number): number
  }
  interface Sink {
    writeByte(byte: number): void
  }
  const bzip: {
    /** Decodes one stream from the source's position; throws on damaged data and wrong checksums. */
    decode(source: Source, sink: Sink, multistream: false): void
  }
  export default bzip
}
