import type { Meter } from './billing/ledger/meter.ts'
import type { Fetcher } from './feeds/fetch.ts'
import type { Job } from './jobs/runner.ts'
import type { OpenLive } from './live/open.ts'
import type { Tracing } from './ops/tracing.ts'
import type { RiskEngine } from './risk/engine.ts'

/** Wraps the parts of a node in trace spans. Without tracing a part is returned unchanged. */

export function tracedEngine<Engine extends RiskEngine>(tracing: Tracing | undefined, engine: Engine): Engine {
  if (!tracing) return engine
  return {
    ...engine,
    evaluate: (kind, indicators, options) =>
      tracing.span('engine.evaluate', { 'assay.kind': kind, 'assay.records': indicators.length }, () =>
        Promise.resolve(engine.evaluate(kind, indicators, options)),
      ),
    async openList(kind, body, options) {
      const about = { 'assay.kind': kind, 'assay.records': options.records }
      const list = await tracing.span('engine.read_list', about, () => engine.openList(kind, body, options))
      return {
        length: list.length,
        invalid: list.invalid,
        evaluate: (how) => tracing.span('engine.evaluate_list', about, () => list.evaluate(how)),
        close: () => list.close(),
      }
    },
  }
}

export function tracedLive<Live extends OpenLive | undefined>(tracing: Tracing | undefined, live: Live): Live {
  if (!tracing || !live) return live
  return {
    ...live,
    about: (kind, name, organisationId) =>
      tracing.wait('live.look_up', { 'assay.kind': kind }, () => live.about(kind, name, organisationId)),
    aboutAll: (kind, names, organisationId) =>
      tracing.span('live.look_up_list', { 'assay.kind': kind, 'assay.records': names.length }, () =>
        live.aboutAll(kind, names, organisationId),
      ),
  }
}

export function tracedMeter(tracing: Tracing | undefined, meter: Meter): Meter {
  if (!tracing) return meter
  return {
    // Until the charge is durable, including the wait for its batch.
    charge: (request) =>
      tracing.span('ledger.charge', { 'assay.family': request.family, 'assay.units': request.units }, () =>
        meter.charge(request),
      ),
    foresee: (request) => meter.foresee(request),
    get pending() {
      return meter.pending
    },
    close: () => meter.close(),
  }
}

export function tracedJobs(tracing: Tracing | undefined, jobs: readonly Job[]): readonly Job[] {
  if (!tracing) return jobs
  return jobs.map((job) => ({ ...job, run: (signal) => tracing.span(`job ${job.name}`, {}, () => job.run(signal)) }))
}

export function tracedFetcher(tracing: Tracing | undefined, fetcher: Fetcher): Fetcher {
  if (!tracing) return fetcher
  return {
    fetch: (address, options) =>
      // Only the host: the rest of a URL may contain a key.
      tracing.span('feed.fetch', { 'server.address': URL.parse(address)?.host ?? '' }, () =>
        fetcher.fetch(address, options),
      ),
    close: () => fetcher.close(),
  }
}
