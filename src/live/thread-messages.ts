import type { Observation, Sort } from './facts.ts'
import type { ServerState } from './server-gate.ts'

/** Messages between threaded-observers.ts and observer-thread.ts. */

export type ThreadQuestion = readonly [id: number, sort: Sort, name: string, urgent: boolean]
export type ThreadAnswer = readonly [id: number, observation: Observation<string>]

export type ToThread =
  | { readonly questions: readonly ThreadQuestion[] }
  | { readonly asks: 'answers' | 'servers'; readonly id: number }
  | { readonly bootstrap: string }

export type FromThread =
  | { readonly answers: readonly ThreadAnswer[] }
  | { readonly id: number; readonly says: boolean | readonly ServerState[] }
