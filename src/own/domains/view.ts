import { iso, isoOrNull } from '../../lib/clock.ts'
import { type OwnDomain, recordOf } from './domains.ts'

export function domainView(domain: OwnDomain) {
  return {
    domain: domain.domain,
    state: domain.state,
    record: { type: 'TXT', name: domain.domain, value: recordOf(domain) },
    verified_by: domain.verified_how,
    verified_at: isoOrNull(domain.verified_at),
    checked_at: isoOrNull(domain.checked_at),
    finding: domain.finding,
    created_at: iso(domain.created_at),
  }
}
