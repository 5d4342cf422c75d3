import { isoDay } from '../../lib/time-text.ts'
import { explained } from './explained.ts'
import { past, quoted } from './fact-texts.ts'
import { type LiveSignal, NOTHING } from './signal.ts'

export const domainCertificate = {
  code: 'domain.certificate',
  description: 'What a handshake with the site showed',
  group: 'live',
  detect: ({ facts: { certificate }, nowMs }) => {
    if (certificate === undefined) return NOTHING
    return [
      explained({ source: 'tls', confidence: 1, lastSeenMs: certificate.seenMs }, () => {
        const { answered, issuer, notBeforeMs, notAfterMs, trusted } = certificate
        if (!answered) return 'No site answers there with TLS'
        const by = issuer === undefined ? '' : ` of ${quoted(issuer)}`
        const valid = trusted === false ? ', which browsers do not accept' : ''
        const issued = notBeforeMs === undefined ? '' : `, issued ${past(notBeforeMs, nowMs)}`
        const until = notAfterMs === undefined ? '' : `, valid until ${isoDay(notAfterMs)}`
        return `Shows a certificate${by}${valid}${issued}${until}`
      }),
    ]
  },
} satisfies LiveSignal<'domain'>
