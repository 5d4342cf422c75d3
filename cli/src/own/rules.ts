import { readFileSync } from 'node:fs'
import type { Operations } from '@assay/sdk'
import { type AnswerOptions, minuteOf, printAnswer, printRows } from '../answer.ts'
import { connect } from '../client.ts'
import { CliError, type Context } from '../context.ts'
import { harmless, tabulate } from '../terminal/paint.ts'

/** The organisation's decision rules. */

type Rules = Operations['PUT /v1/decision-rules']['body']['rules']

export async function showRules(context: Context, version: number | undefined, options: AnswerOptions): Promise<void> {
  const { call } = connect(context)
  const current =
    version === undefined
      ? await call('GET /v1/decision-rules')
      : await call('GET /v1/decision-rules/versions/{version}', { path: { version: `${version}` } })
  printAnswer(context, current, options, () => {
    if (current.rules.length === 0) return 'There is no decision rule. Set some: assay rules set FILE\n'
    const rows = current.rules.map(({ name, when, outcome, text }, i) => [
      `${i + 1}`,
      harmless(name),
      Object.entries(when)
        .map(([field, value]) => `${field}: ${[value].flat().join(' ')}`)
        .join('; ') || 'always',
      outcome,
      harmless(text),
    ])
    const by = current.changed_by ? ` by ${harmless(current.changed_by.name ?? current.changed_by.kind)}` : ''
    const head = `Version ${current.version}, ${minuteOf(current.changed_at ?? '')} UTC${by}`
    return `${head}\n\n${tabulate(['RULE', 'NAME', 'WHEN', 'OUTCOME', 'TEXT'], rows, context.stdout.columns)}\n`
  })
}

/** Replaces the rules that are current now: a change made in between is not overwritten. */
export async function setRules(context: Context, file: string, options: AnswerOptions): Promise<void> {
  const rules = rulesIn(file)
  const { assay, call } = connect(context)
  const { etag = '*' } = await assay.callForVersion('GET /v1/decision-rules', { signal: context.interrupted })
  const saved = await call('PUT /v1/decision-rules', {
    body: { rules },
    headers: { 'if-match': etag },
  })
  printAnswer(context, saved, options, () => `Version ${saved.version} with ${saved.rules.length} rules applies now.\n`)
}

export async function tryRules(context: Context, file: string, options: AnswerOptions): Promise<void> {
  const trial = await connect(context).call('POST /v1/decision-rules/trial', {
    body: { rules: rulesIn(file) },
  })
  printAnswer(context, trial, options, () => {
    const head = `${trial.would_change} of ${trial.tried} checks on record would be decided differently.\n`
    const rows = trial.by.map(({ from, to, count }) => [from ?? 'no rule', to ?? 'no rule', `${count}`])
    return rows.length === 0 ? head : `${head}\n${tabulate(['THEN', 'NOW', 'CHECKS'], rows, context.stdout.columns)}\n`
  })
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

export async function listVersions(context: Context, options: AnswerOptions): Promise<void> {
  const { data } = await connect(context).call('GET /v1/decision-rules/versions', {
    query: { limit: 100 },
  })
  printRows(context, data, options, 'There is no decision rule yet.', {
    VERSION: ({ version }) => version,
    RULES: ({ rules }) => rules,
    'CHANGED (UTC)': ({ changed_at }) => minuteOf(changed_at),
    BY: ({ changed_by }) => changed_by?.name ?? changed_by?.kind,
  })
}
