/**
 * Version of what stands between a source's bytes and a snapshot's rows. Raise it when reading, loading or full text
 * change what a snapshot holds: every dataset is then rebuilt from its downloads (DESIGN §4.2).
 */
export const converterVersion = 'stichtag-3'

/** Everything that decides which rows a delivery becomes, as one text: two that are equal build the same. */
export const builtWith = (built: { readonly fingerprint: string; readonly converterVersion?: string }): string =>
  `${built.converterVersion ?? converterVersion} ${built.fingerprint}`
