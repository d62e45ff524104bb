/** Who the gateway says it is. */
import { packageVersion } from '../package-root.ts'

/** A page with a corner folded over: hosts show it beside the name. Small, since each modern answer carries it. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 0h5l2 2v7H1z"/></svg>`

export const identity = {
  name: 'stichtag',
  title: 'Stichtag',
  version: packageVersion,
  icons: [
    {
      src: `data:image/svg+xml;base64,${Buffer.from(icon).toString('base64')}`,
      mimeType: 'image/svg+xml',
      sizes: ['any'],
    },
  ],
}
