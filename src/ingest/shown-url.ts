/** URLs as they may be shown and kept: whoever reads a message, a manifest or the log gets no credentials with them. */

const secretName = /token|key|secret|sig|pass|auth|credential|session/i

/**
 * A URL without user and password, and with `***` in place of the values of query parameters that look like secrets
 * (tokens, keys, signatures). Whatever is no URL stays as it is.
 */
export const shownUrl = (url: string): string =>
  /^https?:/i.test(url)
    ? url
        .replace(/^(https?:\/\/)[^/?#]*@/i, '$1')
        .replace(/([?&;])([^=&;#]+)=[^&;#]+/g, (whole, mark: string, name: string) =>
          secretName.test(name) ? `${mark}${name}=***` : whole,
        )
    : url
