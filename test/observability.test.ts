import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { describeMetrics } from '../src/ops/metrics.ts'
import { ALERT_FIGURES } from './cluster/alerts.ts'
import { LOG_FIELDS } from './support/log-fields.ts'

/** Files that an operator loads into other programs name only metrics that exist, and every alert says what to do. */

const read = (file: string) => readFileSync(join(import.meta.dirname, '..', file), 'utf8')
const OPERATIONS = read('docs/operations.md')

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook_url: string }
}
const { groups } = parse(read('deploy/prometheus/assay.rules.yml')) as {
  groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[]
}
const RULES = groups.flatMap(({ rules }) => rules)

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[]
}
const DASHBOARD = JSON.parse(read('deploy/grafana/assay.json')) as {
  readonly title: string
  readonly uid: string
  readonly schemaVersion: number
  readonly panels: readonly Panel[]
}

/** Labels by the name of each series that can be asked for. */
function seriesOf(): Map<string, readonly string[]> {
  const series = new Map<string, readonly string[]>([['up', []]])
  for (const { name, kind, labels } of describeMetrics()) {
    if (kind !== 'histogram') series.set(name, labels)
    else for (const part of ['bucket', 'sum', 'count']) series.set(`${name}_${part}`, [...labels, 'le'])
  }
  const usual = new Registry()
  collectDefaultMetrics({ register: usual })
  for (const { name } of usual.getMetricsAsArray()) series.set(name, [])
  return series
}
const SERIES = seriesOf()
/** Prometheus adds these to everything that it reads. */
const ADDED = ['job', 'instance']
const WORDS = new Set(
  'abs and by count histogram_quantile increase max min offset on or rate sum time topk unless vector without'.split(
    ' ',
  ),
)

/** Names and labels in an expression that nobody would answer to. */
function unknownIn(expression: string): string[] {
  const bare = expression.replace(/"(?:[^"\\]|\\.)*"/g, '""')
  const labels = [
    ...[...bare.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside = '']) =>
      [...inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!),
    ),
    ...[...bare.matchAll(/\b(?:by|without|on)\s*\(([^)]*)\)/g)].flatMap(([, inside = '']) =>
      inside.split(',').flatMap((label) => label.trim() || []),
    ),
  ]
  const rest = bare
    .replace(/\{[^}]*\}/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(?:by|without|on)\s*\([^)]*\)/g, '')
  const names = [...rest.matchAll(/(?<![\w.])[a-zA-Z_:][\w:]*/g)]
    .map(([name]) => name)
    .filter((name) => !WORDS.has(name))
  const known = new Set([...ADDED, ...names.flatMap((name) => SERIES.get(name) ?? [])])
  return [...names.filter((name) => !SERIES.has(name)), ...labels.filter((label) => !known.has(label))]
}

describe('the metrics of a document', () => {
  it('are checked: a name, a label and a part of a histogram that do not exist are found', () => {
    expect(unknownIn('rate(assay_nothing_total[5m]) > 1')).toEqual(['assay_nothing_total'])
    expect(unknownIn('assay_ready{nothing="x"} == 0')).toEqual(['nothing'])
    expect(unknownIn('sum by (nothing) (assay_queue_depth)')).toEqual(['nothing'])
    expect(unknownIn('assay_charge_commit_seconds > 1')).toEqual(['assay_charge_commit_seconds'])
    expect(unknownIn('sum by (queue) (assay_queue_depth{instance=~"a.*"}) > 1.5e9')).toEqual([])
  })
})

describe('the dashboard', () => {
  const expressions = DASHBOARD.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

  it('asks only for metrics and labels that exist', () => {
    expect(expressions.length).toBeGreaterThan(25)
    expect(expressions.flatMap(unknownIn)).toEqual([])
  })

  it('shows 0 and not "no data" where nothing was counted yet', () => {
    const counted = expressions.filter((expr) => /\b(rate|increase|time)\(/.test(expr))
    expect(counted.filter((expr) => !expr.endsWith(' or on () vector(0)'))).toEqual([])
    // 0 / 0 is not a number, and is shown as nothing.
    const divided = counted.filter((expr) => / \/ |histogram_quantile/.test(expr))
    expect(divided.filter((expr) => !expr.includes(' >= 0) or '))).toEqual([])
  })

  it('shows every metric of ours', () => {
    const all = expressions.join('\n')
    const shown = ({ name }: { name: string }) => new RegExp(`\\b${name}(?:_bucket|_sum|_count)?\\b`).test(all)
    expect(describeMetrics().filter((metric) => !shown(metric))).toEqual([])
  })

  it('has the rows an operator looks for, and panels that do not lie on each other', () => {
    expect(DASHBOARD).toMatchObject({ title: 'Assay', uid: 'assay' })
    expect(DASHBOARD.panels.filter(({ type }) => type === 'row').map(({ title }) => title)).toEqual([
      'Traffic',
      'Answers',
      'Money',
      'Intelligence',
      'Store',
      'Live facts',
      'Process',
    ])
    const taken = new Set<string>()
    for (const { title, gridPos } of DASHBOARD.panels) {
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(taken.has(`${x} ${y}`) || x > 23, title).toBe(false)
          taken.add(`${x} ${y}`)
        }
      }
    }
    expect(new Set(DASHBOARD.panels.map(({ id }) => id)).size).toBe(DASHBOARD.panels.length)
  })
})

describe('the alerts', () => {
  it('ask only for metrics and labels that exist', () => {
    expect(RULES.length).toBeGreaterThan(15)
    expect(RULES.flatMap(({ alert, expr }) => unknownIn(expr).map((unknown) => `${alert}: ${unknown}`))).toEqual([])
  })

  it('are each raised by figures that exist, which promtool proves in npm run test:cluster', () => {
    expect(Object.keys(ALERT_FIGURES).sort()).toEqual(RULES.map(({ alert }) => alert).sort())
    const series = Object.values(ALERT_FIGURES).flat().flatMap(Object.keys)
    expect(series.flatMap(unknownIn)).toEqual([])
  })

  it.each(RULES)(
    '$alert waits, says how bad it is and in a sentence what is wrong, and links to its runbook',
    (rule) => {
      expect(rule.for).toMatch(/^\d+[mh]$/)
      expect(['critical', 'warning']).toContain(rule.labels.severity)
      expect(rule.annotations.summary).toMatch(/\.$/)
      expect(rule.annotations.runbook_url).toBe(
        `https://assay.example.com/guides/operations#${rule.alert.toLowerCase()}`,
      )
      const labels = [...rule.annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label!)
      const grouped = /\bsum\(|\bcount\(|\bmax\(/.test(rule.expr)
      for (const label of labels) {
        const kept = rule.expr.includes(label) || (!grouped && label === 'instance')
        expect(kept, `${label} is gone by then`).toBe(true)
      }
    },
  )

  it('each have a section that says what users notice, where to look and what to do; and no section is without one', () => {
    const runbook = OPERATIONS.slice(OPERATIONS.indexOf('## What to do when an alert comes'))
    const sections = runbook
      .slice(0, runbook.indexOf('\n## ', 10))
      .split('\n### ')
      .slice(1)
      .map((text) => ({ name: text.slice(0, text.indexOf('\n')), text }))
    expect(sections.map(({ name }) => name).sort()).toEqual(RULES.map(({ alert }) => alert).sort())
    for (const { name, text } of sections) {
      for (const part of ['**Users notice:**', '**Look:**', '**Do:**']) expect(text, name).toContain(part)
    }
  })
})

describe('the fields of the log', () => {
  const sources = readdirSync(join(import.meta.dirname, '../src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => read(join('src', file)))

  /** The names in the object that a logger is given, as far as they are written there. */
  function loggedFields(source: string): string[] {
    const calls = source.matchAll(/\blog(?:ger)?(?:\.(?:debug|info|warn|error)|\[level\])\(\s*\{([^}]*)\}/g)
    return [...calls].flatMap(([, inside = '']) =>
      inside
        .split(/,|\n/)
        .map((part) => /^\s*(\w+)\s*(?::|$)/.exec(part)?.[1])
        .filter((name) => name !== undefined),
    )
  }

  it('that loggers write are all in the table', () => {
    const written = new Set(sources.flatMap(loggedFields))
    expect(written.size).toBeGreaterThan(20)
    expect(Object.keys(LOG_FIELDS).length).toBeGreaterThan(40)
    expect([...written].filter((name) => !Object.hasOwn(LOG_FIELDS, name))).toEqual([])
  })

  it('in the table are all written by somebody', () => {
    const byLibrary = ['level', 'time', 'msg']
    const all = sources.filter((source) => /\blog(ger)?\b|lines_dropped|trace_id/.test(source)).join('\n')
    const unused = Object.keys(LOG_FIELDS).filter(
      (name) => !byLibrary.includes(name) && !new RegExp(`[{,\\s]${name}\\b`).test(all),
    )
    expect(unused).toEqual([])
  })
})
