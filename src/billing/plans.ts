import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import Type from 'typebox'
import { Check, Errors } from 'typebox/schema'
import { FAMILIES, type Family } from '../lib/kinds.ts'
import { LIMITS } from '../limits.ts'

// High enough for any price list, low enough that 10,000 records at the highest price stay an exact integer.
const PENCE_MAX = 1_000_000_000
const pence = (description: string, sample = 2) =>
  Type.Integer({ minimum: 0, maximum: PENCE_MAX, description, examples: [sample] })

/** plans.json is not usable; the message names the file, the plan and the field. */
export class PlansError extends Error {
  override name = 'PlansError'
}

/** One entry of plans.json; `plan list --json` and the documentation show the same shape. */
export const PlanSchema = Type.Object(
  {
    id: Type.String({
      pattern: '^[a-z][a-z0-9-]{0,31}$',
      description: 'Name used by operators and in the API',
      examples: ['growth'],
    }),
    name: Type.String({ minLength: 1, maxLength: 64, description: 'Name shown to people', examples: ['Growth'] }),
    monthly_price_pence: pence('Price of the plan for one calendar month', 9900),
    included_credit_pence: pence('Credit granted every month; the rest expires with the month', 12000),
    unit_price_pence: Type.Object(
      Object.fromEntries(FAMILIES.map((family) => [family, pence(`Price of one record of ${family}`)])) as Record<
        Family,
        ReturnType<typeof pence>
      >,
      { additionalProperties: false, description: 'Price of one record, by endpoint family' },
    ),
    free_units: pence('Free records in a month', 0),
    overage_allowed: Type.Boolean({
      description: 'True if requests beyond the credit are answered and invoiced',
      examples: [true],
    }),
    overage_limit_pence: Type.Optional(
      pence('Maximum debt beyond the credit before checks are refused; absent: no limit', 100000),
    ),
    requests_per_second: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'Rate limit of an organisation',
      examples: [500],
    }),
    bulk_allowed: Type.Boolean({ description: 'True if the bulk endpoints may be used', examples: [true] }),
    tokens_per_minute: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: `Access tokens a minute for each OAuth application, and for each person who uses one; absent: ${LIMITS.rates.tokensPerMinuteDefault}`,
      }),
    ),
  },
  { $id: 'Plan', additionalProperties: false },
)

export type Plan = Type.Static<typeof PlanSchema>
export type Plans = ReadonlyMap<string, Plan>

/** True if the plan costs money: by the month, beyond its credit, or for every check. */
export const needsMoney = (plan: Plan) =>
  plan.monthly_price_pence > 0 ||
  plan.overage_allowed ||
  (plan.free_units === 0 && Object.values(plan.unit_price_pence).some((pence) => pence > 0))

/** Checks a list of plans; an error names the file, the plan and the field. */
export function parsePlans(value: unknown, source: string): Plans {
  if (!Array.isArray(value)) throw new PlansError(`${source}: must contain an array of plans`)
  if (value.length === 0 || value.length > LIMITS.counts.plansMax)
    throw new PlansError(`${source}: must contain 1 to ${LIMITS.counts.plansMax} plans`)
  const plans = new Map<string, Plan>()
  for (const [index, entry] of value.entries()) {
    const label = planLabel(entry, index)
    if (!Check(PlanSchema, entry)) {
      // An unknown field is reported twice, once as "schema is false", which helps nobody.
      const first = Errors(PlanSchema, entry)[1].find((error) => error.keyword !== 'boolean')
      const extra =
        first?.keyword === 'additionalProperties' ? ` (${first.params.additionalProperties.join(', ')})` : ''
      const missing = first?.keyword === 'required' ? ` (${first.params.requiredProperties.join(', ')})` : ''
      const field = first?.instancePath.slice(1).replaceAll('/', '.')
      throw new PlansError(`${source}: ${label}: ${field ? `${field} ` : ''}${first?.message}${extra}${missing}`)
    }
    if (plans.has(entry.id)) throw new PlansError(`${source}: ${label}: id is used by two plans`)
    plans.set(entry.id, entry)
  }
  return plans
}

function planLabel(entry: unknown, index: number): string {
  const id = typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : undefined
  return typeof id === 'string' ? `plan "${id.slice(0, 64)}"` : `plan number ${index + 1}`
}

const DEFAULT_PLANS_FILE = fileURLToPath(new URL('../../plans.json', import.meta.url))

export function loadPlans(file = DEFAULT_PLANS_FILE): Plans {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new PlansError(`${file}: ${(error as Error).message}`, { cause: error })
  }
  return parsePlans(value, file)
}
