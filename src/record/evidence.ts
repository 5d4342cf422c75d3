import type { fullCheckView, Price } from './check-log.ts'
import type { Evidence } from './evidence-pdf.ts'
import { audienceOf, questionDigest, type ReceiptClaims } from './receipt.ts'

interface Named {
  readonly id: string
  readonly name: string | null
}

/** A check that could be opened. */
export interface ReportedCheck extends Omit<ReturnType<typeof fullCheckView>, 'review' | 'feedback'> {
  readonly indicator: string
  readonly price: Price
  readonly answer: {
    readonly base_score?: number
    readonly signals?: readonly { readonly code: string; readonly description: string; readonly effect: number }[]
  }
}

export function claimsOf(
  check: ReportedCheck,
  about: { readonly baseUrl: string; readonly organisationId: string; readonly nowMs: number },
): ReceiptClaims {
  const { decision, answer, price } = check
  return {
    iss: about.baseUrl,
    aud: audienceOf(about.baseUrl),
    iat: Math.floor(about.nowMs / 1000),
    jti: check.id,
    sub: about.organisationId,
    question: questionDigest(check.kind, check.indicator) ?? '',
    kind: check.kind,
    risk: check.risk,
    risk_score: check.risk_score,
    signals: (answer.signals ?? []).map(({ code, effect }) => ({ code, effect })),
    intelligence: check.intelligence_version,
    price: {
      unit_price_pence: price.unit_price_pence,
      total_price_pence: price.total_price_pence,
      is_free: price.is_free,
    },
    asked_at: check.asked_at,
    ...(decision && {
      decision: {
        decision: decision.decision,
        state: decision.state,
        at: decision.at,
        by: decision.by.id,
        ...(decision.second_by && { second_by: decision.second_by.id }),
      },
    }),
  }
}

const words = (text: string) => text.replaceAll('_', ' ')
const nameOf = ({ id, name }: Named) => (name === null ? id : `${name} (${id})`)
const timeOf = (iso: string) => `${iso.slice(0, 19).replace('T', ' ')} UTC`
const signed = (effect: number) => (effect > 0 ? `+${effect}` : `${effect}`)

export function evidenceOf(
  check: ReportedCheck,
  about: { readonly organisation: string; readonly madeAtMs: number; readonly link: string; readonly baseUrl: string },
): Evidence {
  const { answer, decision, price } = check
  const signals = answer.signals ?? []
  const reasons: [string, string][] = [
    ...(answer.base_score === undefined ? [] : [['Starting score', `${answer.base_score}`] as [string, string]]),
    ...signals.map(({ code, description, effect }): [string, string] => [`${description} (${code})`, signed(effect)]),
    ...(answer.signals ? [] : [['The program that asked did not ask for reasons.', ''] as [string, string]]),
    ['Score', `${check.risk_score}`],
  ]
  return {
    title: `Evidence of check ${check.id}`,
    author: about.organisation,
    madeAtMs: about.madeAtMs,
    risk: check.risk,
    facts: [
      ['Organisation', about.organisation],
      ['Indicator', `${check.indicator} (${check.kind})`],
      ['Asked at', timeOf(check.asked_at)],
      ['Asked by', `${nameOf(check.asked_by)}, ${check.channel === 'console' ? 'in the console' : 'by a program'}`],
      ['Risk', `${check.risk}, ${check.risk_score} of 100`],
      ...(check.rule_decision === null ? [] : [['Decision rules', check.rule_decision] as [string, string]]),
      ['Intelligence', check.intelligence_version],
      ['Price', price.is_free ? 'free' : `${price.total_price_pence} pence`],
      ['Request', check.request_id],
      ['Printed at', timeOf(new Date(about.madeAtMs).toISOString())],
    ],
    sections: [
      { title: 'Reasons', rows: reasons },
      ...(decision
        ? [
            {
              title: `Decision: ${words(decision.decision)}`,
              rows: [
                [`${nameOf(decision.by)}, ${timeOf(decision.at)}`, ''],
                ...(decision.second_by && decision.second_at
                  ? [[`Second person: ${nameOf(decision.second_by)}, ${timeOf(decision.second_at)}`, ''] as const]
                  : []),
                ...(decision.state === 'made' ? [] : [['It waits for a second person.', ''] as const]),
                ...decision.steps.map((step) => [`Done: ${step}`, ''] as const),
                ...(decision.note === null ? [] : [[decision.note, ''] as const]),
              ] as const,
            },
          ]
        : []),
    ],
    link: about.link,
    linkWords: `Receipt, signed by the service. Scan it, or verify the receipt file at ${about.baseUrl}/receipt or with: assay verify`,
  }
}
