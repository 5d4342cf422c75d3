/**
 * Figures that raise each alert, and figures beside them that must not, as Prometheus reads them once a minute for ten
 * hours (`5x600`: 5 each time; `0+1x600`: one more each time). `npm test` checks their names; promtool proves them in
 * `npm run test:cluster`.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

type Figures = Readonly<Record<string, string>>

const STAYS = (value: number) => `${value}x600`
const GROWS = (perMinute: number) => `0+${perMinute}x600`
const CHECK = 'assay_http_request_seconds_bucket{route="/v1/payment-risk",status="200"'
const COUNT = 'assay_http_request_seconds_count'

/** `raised`, then `quiet`. */
export const ALERT_FIGURES: Readonly<Record<string, readonly [raised: Figures, quiet: Figures]>> = {
  AssayDown: [{ 'up{job="assay"}': STAYS(0) }, { 'up{job="assay"}': STAYS(1), 'up{job="other"}': STAYS(0) }],
  AssayNotReady: [{ assay_ready: STAYS(0) }, { assay_ready: STAYS(1) }],
  AssayVersionsDiffer: [
    { 'assay_build_info{version="1.1.0"}': STAYS(1), 'assay_build_info{version="1.2.0"}': STAYS(1) },
    { 'assay_build_info{version="1.2.0",instance="a"}': STAYS(1), 'assay_build_info{version="1.2.0"}': STAYS(1) },
  ],
  AssayEventLoopBusy: single('nodejs_eventloop_lag_p99_seconds{job="assay"}', 0.51, 0.49),
  AssayMemoryHigh: single('process_resident_memory_bytes{job="assay"}', 1.6e9, 1.4e9),
  AssayClockWrong: single('assay_clock_offset_seconds', -6, -4),
  AssayLogLinesDropped: [{ assay_log_lines_dropped_total: GROWS(1) }, { assay_log_lines_dropped_total: STAYS(9) }],
  AssayErrors: [
    { [`${COUNT}{status="500",route="/v1/me"}`]: GROWS(3), [`${COUNT}{status="200",route="/v1/me"}`]: GROWS(97) },
    { [`${COUNT}{status="503",route="/readyz"}`]: GROWS(3), [`${COUNT}{status="200",route="/v1/me"}`]: GROWS(97) },
  ],
  AssaySlowAnswers: [
    { [`${CHECK},le="1"}`]: GROWS(97), [`${CHECK},le="2.5"}`]: GROWS(100), [`${CHECK},le="+Inf"}`]: GROWS(100) },
    { [`${CHECK},le="1"}`]: GROWS(100), [`${CHECK},le="2.5"}`]: GROWS(100), [`${CHECK},le="+Inf"}`]: GROWS(100) },
  ],
  AssayTokensFail: [
    { 'assay_oauth_tokens_total{outcome="server_error"}': GROWS(2) },
    { 'assay_oauth_tokens_total{outcome="server_error"}': GROWS(1) },
  ],
  AssayQueueLong: single('assay_queue_depth{queue="engine"}', 301, 299),
  AssayCommitsSlow: [
    {
      'assay_charge_commit_seconds_bucket{le="0.5"}': GROWS(97),
      'assay_charge_commit_seconds_bucket{le="1"}': GROWS(100),
      'assay_charge_commit_seconds_bucket{le="+Inf"}': GROWS(100),
    },
    {
      'assay_charge_commit_seconds_bucket{le="0.5"}': GROWS(100),
      'assay_charge_commit_seconds_bucket{le="+Inf"}': GROWS(100),
    },
  ],
  AssayUncertainCharges: single('assay_uncertain_charges', 1, 0),
  // One message is enough: its counter exists from the start.
  AssayPaymentUnmatched: once(
    'assay_payment_events_total{outcome="unmatched"}',
    'assay_payment_events_total{outcome="settled"}',
  ),
  AssayPaymentInquiry: once(
    'assay_payment_events_total{outcome="inquiry"}',
    'assay_payment_events_total{outcome="settled"}',
  ),
  AssayWebhooksRefused: [
    { [`${COUNT}{route="/v1/webhooks/stripe",status="400"}`]: GROWS(1) },
    { [`${COUNT}{route="/v1/webhooks/stripe",status="200"}`]: GROWS(1) },
  ],
  AssayStatementsSlow: [
    { assay_store_slow_statements_total: GROWS(2), assay_store_statements_total: GROWS(100) },
    { assay_store_slow_statements_total: GROWS(1), assay_store_statements_total: GROWS(200) },
  ],
  // It was behind, and then did not answer. promtool repeats numbers only, and NaN is none to it.
  AssayReplicaBehind: [
    { assay_read_replica_lag_seconds: `11x470${' NaN'.repeat(130)}` },
    { assay_read_replica_lag_seconds: STAYS(9) },
  ],
  AssayWebhooksStuck: single('assay_webhook_overdue_seconds', 601, 599),
  AssayMailStuck: [
    { assay_mail_oldest_waiting_seconds: GROWS(60), 'assay_mails_total{outcome="sent"}': STAYS(5) },
    { assay_mail_oldest_waiting_seconds: GROWS(60), 'assay_mails_total{outcome="sent"}': GROWS(1) },
  ],
  AssayJobFails: [
    { 'assay_job_run_seconds_count{task="billing",outcome="failed"}': '0x467 1 2 3x200' },
    {
      'assay_job_run_seconds_count{task="billing",outcome="succeeded"}': GROWS(1),
      'assay_job_run_seconds_count{task="mail",outcome="failed"}': GROWS(12),
    },
  ],
  AssayJobLate: [
    {
      'assay_job_last_success_timestamp_seconds{task="billing"}': STAYS(0),
      'assay_job_period_seconds{task="billing"}': STAYS(300),
    },
    {
      'assay_job_last_success_timestamp_seconds{task="billing"}': GROWS(60),
      'assay_job_period_seconds{task="billing"}': STAYS(300),
    },
  ],
  AssayLedgerWrong: single('assay_job_failing{task="ledger"}', 1, 0),
  AssaySnapshotOld: [
    { assay_snapshot_age_seconds: STAYS(260_000), 'assay_feeds{state="failing"}': STAYS(7) },
    // Nothing was ever fetched here: the snapshot of the release is in use.
    {
      assay_snapshot_age_seconds: STAYS(260_000),
      'assay_feeds{state="unfetched"}': STAYS(7),
      'assay_feeds{state="failing"}': STAYS(0),
    },
  ],
  AssaySnapshotBehind: single('assay_snapshot_behind_seconds', 901, 899),
  AssayFeedsFail: [feeds(79, 20, 1), feeds(80, 20, 0)],
  AssayFeedStale: single('assay_feed_last_success_timestamp_seconds{feed="tor"}', -600_000, -500_000),
  AssayLookUpsFail: [
    {
      'assay_live_look_seconds_count{outcome="failed"}': GROWS(6),
      'assay_live_look_seconds_count{outcome="seen"}': GROWS(5),
    },
    {
      'assay_live_look_seconds_count{outcome="failed"}': GROWS(5),
      'assay_live_look_seconds_count{outcome="seen"}': GROWS(6),
    },
  ],
}

function single(name: string, raised: number, quiet: number): [Figures, Figures] {
  return [{ [name]: STAYS(raised) }, { [name]: STAYS(quiet) }]
}

/** The count goes from 0 to 1 a few minutes before the end. */
function once(name: string, other: string): [Figures, Figures] {
  return [{ [name]: '0x470 1x200' }, { [name]: STAYS(1), [other]: GROWS(1) }]
}

function feeds(fresh: number, failing: number, held: number): Figures {
  return {
    'assay_feeds{state="fresh"}': STAYS(fresh),
    'assay_feeds{state="failing"}': STAYS(failing),
    'assay_feeds{state="held"}': STAYS(held),
  }
}

const DEPLOY = resolve(import.meta.dirname, '../../deploy')

/** Before anything was counted, a panel of counts shows 0. */
function panelsOfNothing() {
  const { panels } = JSON.parse(readFileSync(join(DEPLOY, 'grafana/assay.json'), 'utf8')) as {
    readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[]
  }
  const counted = panels.flatMap(({ targets = [] }) => targets).filter(({ expr }) => expr.endsWith('vector(0)'))
  const exprs = counted.map(({ expr }) => expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '5m'))
  const promql_expr_test = exprs.map((expr) => ({ expr, eval_time: '5m', exp_samples: [{ labels: '{}', value: 0 }] }))
  return { name: 'panels', interval: '1m', promql_expr_test }
}

/** Lets promtool check the rules, and raise every alert with its figures; true if all is as expected. */
export function proveAlerts(): boolean {
  const rules = join(DEPLOY, 'prometheus/assay.rules.yml')
  const folder = mkdtempSync(join(tmpdir(), 'assay-alerts-'))
  const file = join(folder, 'alerts.json')
  const tests = Object.entries(ALERT_FIGURES).flatMap(([alert, cases]) =>
    cases.map((figures, at) => ({
      name: `${alert} ${at === 0 ? 'raised' : 'quiet'}`,
      interval: '1m',
      input_series: Object.entries(figures).map(([series, values]) => ({ series, values })),
      promql_expr_test: [
        {
          expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`,
          eval_time: '8h',
          exp_samples: at === 0 ? [{ labels: '{}', value: 1 }] : [],
        },
      ],
    })),
  )
  writeFileSync(
    file,
    JSON.stringify({ rule_files: [rules], evaluation_interval: '5m', tests: [...tests, panelsOfNothing()] }),
  )
  try {
    return [
      ['check', 'rules', rules],
      ['test', 'rules', file],
    ].every((args) => spawnSync('promtool', args, { stdio: 'inherit' }).status === 0)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
