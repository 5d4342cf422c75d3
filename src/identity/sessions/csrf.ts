import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '../../errors.ts'
import type { Ring } from '../../lib/seal.ts'

const PURPOSE = 'cross-site request tokens'

/**
 * A page's CSRF token: a tag over the cookie, which another site can make a browser send but cannot read. `subject`
 * names the purpose too, so that one page's token is not valid on another.
 */
export function createCsrf(ring: Ring) {
  return {
    tag: (subject: string) => ring.mac(PURPOSE, subject),
    /** Throws 403 if the request does not carry the token of `subject`. */
    async require({ headers }: { readonly headers: IncomingHttpHeaders }, subject: string): Promise<void> {
      const given = headers['x-csrf-token']
      if (typeof given === 'string') await ring.know(given)
      if (typeof given === 'string' && ring.isMac(PURPOSE, subject, given)) return
      throw new Problem('form_outdated', {
        detail: 'This form is out of date or was sent from elsewhere. Load the page again.',
      })
    },
  }
}
