import { KIND_WORDS } from '@assay/reader/kinds'
import { moment, money } from '../shell/format.ts'
import { type Answered, hasNothingToCheck, verdictOf } from './answered.ts'
import { nextSteps, visible } from './words.ts'

const REASONS_MAX = 5

export function summaryOf(answer: Answered, ticked: readonly number[], who: string): string {
  const { kind, value, result, checkedAt } = answer
  const { signals = [], intelligence, coverage } = result
  const nothing = hasNothingToCheck(result)
  const reasons = signals.filter(({ effect }) => effect !== 0)
  const more = reasons.length - REASONS_MAX
  const steps = nothing ? [] : nextSteps(kind, result.risk).steps
  const lines = [
    `${visible(value)} (${KIND_WORDS[kind].one})`,
    nothing ? verdictOf(result) : `${verdictOf(result)}: ${result.risk_score} of 100`,
    ...bothForms(result.international),
    ...ownWords(result),
    '',
    ...(nothing ? [coverage?.summary ?? ''] : ['Why:']),
    ...(nothing ? [] : [`- starts at ${result.base_score ?? 0}, as every score does`]),
    ...reasons.slice(0, REASONS_MAX).map(({ effect, description }) => `- ${signed(effect)} ${visible(description)}`),
    ...(more > 0 ? [`- ${signed(sumOf(reasons.slice(REASONS_MAX)))} by ${more} more`] : []),
    ...(coverage && !nothing ? [`Known: ${visible(coverage.summary)}`] : []),
    ...(nothing ? [] : ['', `What to do: ${result.recommended_action ?? ''}.`]),
    ...steps.map((step, index) => `[${ticked.includes(index) ? 'x' : ' '}] ${step}`),
    '',
    `Checked ${moment(checkedAt)} by ${who}`,
    ...(intelligence ? [`Intelligence: ${intelligence.version}`] : []),
    `Cost: ${result.is_free ? 'free' : money(result.total_price_pence)}`,
    'One signal among others, not the sole control.',
  ]
  return lines.join('\n')
}

function ownWords({ decision, counterparty }: Answered['result']): string[] {
  const { name, reference, relation } = counterparty ?? {}
  return [
    ...(decision ? [`Decision: ${decision.outcome} (${visible(decision.rule)}). ${visible(decision.text)}`] : []),
    ...(name === undefined
      ? []
      : [
          `Counterparty: ${visible(name)}${reference ? ` (${visible(reference)})` : ''}, ${relation?.replaceAll('_', ' ')}`,
        ]),
  ]
}

function bothForms(international: Answered['result']['international']): string[] {
  if (!international) return []
  const { unicode, ascii, mixed } = international
  return [`Reads ${visible(unicode)}, in the DNS ${ascii}${mixed === null ? '' : ` (${visible(mixed)})`}`]
}

const sumOf = (reasons: readonly { readonly effect: number }[]) => reasons.reduce((sum, { effect }) => sum + effect, 0)

const signed = (effect: number) => (effect >= 0 ? `+${effect}` : `−${-effect}`)
