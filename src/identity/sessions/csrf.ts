import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '../../errors.ts'
import type { Ring } from '../../lib/seal.ts'

/**
 * A page's proof that it is ours: a tag over the cookie, which another site can make a browser send but cannot read.
 * `subject` names the purpose as well, so that one page's tag is worth nothing to another.
 */
export interface Csrf {
  tag(subject: string): string
  /** Throws 403 when the request does not carry the tag of `subject`. */
  require(request: { readonly headers: IncomingHttpHeaders }, subject: string): Promise<void>
}

const PURPOSE = 'cross-site request tokens'

export function createCsrf(ring: Ring): Csrf {
  return {
    tag: (subject) => ring.mac(PURPOSE, subject),
    async require({ headers }, subject) {
      const given = headers['x-csrf-token']
      if (typeof given === 'string') await ring.know(given)
      if (typeof given !== 'string' || !ring.isMac(PURPOSE, subject, given)) {
        throw new Problem('form_outdated', {
          detail: 'This form is out of date or was sent from elsewhere. Load the page again.',
        })
      }
    },
  }
}
