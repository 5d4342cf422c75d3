import { AsyncLocalStorage } from 'node:async_hooks'

/** The span of the current work, carried along by Node. Without tracing there is none, at no cost. */
export interface TraceContext {
  readonly traceId: string
  readonly spanId: string
}

export const currentTrace = new AsyncLocalStorage<TraceContext>()

/** Added to every log line, so that a line leads to its trace. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const current = currentTrace.getStore()
  return current ? { trace_id: current.traceId, span_id: current.spanId } : {}
}
