import { shown } from '../../lib/clock.ts'
import { type OwnDomain, recordOf } from './domains.ts'

export function domainView(domain: OwnDomain) {
  return {
    ...shown(domain, 'domain', 'state', 'verified_at', 'checked_at', 'finding', 'created_at'),
    record: { type: 'TXT', name: domain.domain, value: recordOf(domain) },
    verified_by: domain.verified_how,
  }
}
