import { readFileSync } from 'node:fs'
import type { Operations } from '@assay/sdk'
import { type Answer, minute, rowsAnswer, tableOf } from '../answer.ts'
import { call, connect } from '../client.ts'
import { CliError, type Context } from '../context.ts'
import { harmless } from '../terminal/paint.ts'

type Rules = Operations['PUT /v1/decision-rules']['body']['rules']

export async function showRules(context: Context, version: number | undefined): Promise<Answer> {
  const current =
    version === undefined
      ? await call(context, 'GET /v1/decision-rules')
      : await call(context, 'GET /v1/decision-rules/versions/{version}', { path: { version: `${version}` } })
  const text = () => {
    if (current.rules.length === 0) return 'There is no decision rule. Set some: assay rules set FILE'
    const by = current.changed_by ? ` by ${harmless(current.changed_by.name ?? current.changed_by.kind)}` : ''
    const table = tableOf(context, current.rules, {
      RULE: (_, place) => `${place + 1}`,
      NAME: ({ name }) => name,
      WHEN: ({ when }) =>
        Object.entries(when)
          .map(([field, value]) => `${field}: ${[value].flat().join(' ')}`)
          .join('; ') || 'always',
      OUTCOME: ({ outcome }) => outcome,
      TEXT: ({ text }) => text,
    })
    return `Version ${current.version}, ${minute(current.changed_at ?? '')} UTC${by}\n\n${table}`
  }
  return { value: current, text }
}

/** Replaces the rules that are current now: a change made in between is not overwritten. */
export async function setRules(context: Context, file: string): Promise<Answer> {
  const rules = rulesIn(file)
  const { assay } = connect(context)
  const { etag = '*' } = await assay.callForVersion('GET /v1/decision-rules', { signal: context.interrupted })
  const saved = await assay.call('PUT /v1/decision-rules', {
    body: { rules },
    headers: { 'if-match': etag },
    signal: context.interrupted,
  })
  return { value: saved, text: () => `Version ${saved.version} with ${saved.rules.length} rules applies now.` }
}

export async function tryRules(context: Context, file: string): Promise<Answer> {
  const trial = await call(context, 'POST /v1/decision-rules/trial', { body: { rules: rulesIn(file) } })
  const head = `${trial.would_change} of ${trial.tried} checks on record would be decided differently.`
  const table = tableOf(context, trial.by, {
    BEFORE: ({ from }) => from ?? 'no rule',
    AFTER: ({ to }) => to ?? 'no rule',
    CHECKS: ({ count }) => `${count}`,
  })
  return { value: trial, text: () => (trial.by.length === 0 ? head : `${head}\n\n${table}`) }
}

/** Also the output of `assay rules show --json`, so that an earlier version can be set again. The service checks it. */
function rulesIn(file: string): Rules {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new CliError(`${file} cannot be read as JSON (${(error as Error).message}).`)
  }
  const rules = Array.isArray(value) ? value : (value as { rules?: unknown } | null)?.rules
  if (!Array.isArray(rules)) throw new CliError(`${file} must hold an array of rules, or an object with "rules".`)
  return rules as Rules
}

export async function listVersions(context: Context): Promise<Answer> {
  const { data } = await call(context, 'GET /v1/decision-rules/versions', { query: { limit: 100 } })
  return rowsAnswer(context, data, 'There is no decision rule yet.', {
    VERSION: ({ version }) => `${version}`,
    RULES: ({ rules }) => `${rules}`,
    'CHANGED (UTC)': ({ changed_at }) => minute(changed_at),
    BY: ({ changed_by }) => changed_by?.name ?? changed_by?.kind ?? null,
  })
}
