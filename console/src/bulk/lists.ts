import { AssayError, type Kind } from '@assay/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { newRequestKey } from '../api/organisation.ts'
import { createListeners, sessionQuery } from '../api/session.ts'
import { useApi, useOrganisation, useSession } from '../shell/use-session.ts'
import type { PricedPart } from './cover.ts'
import type { Sender } from './journal.ts'
import { isUnderWay, kindOf, type Leg, type List, type Rows, takeRanges } from './list.ts'
import { onMessage, tellTabs } from './other-tabs.ts'
import { BATCH_SIZE, type Run, Runner } from './runner.ts'
import { addLegs, asProblem, type KeptList, readList, readLists, removeList, saveList } from './store.ts'

/** The lists of each owner in this browser. They continue while other pages of the console are open. */
const lists = new Map<string, readonly Runner[]>()
const { tell, subscribe } = createListeners()

const runnerOf = (owner: string, id: string) => lists.get(owner)?.find((runner) => runner.id === id)

function add(owner: string, found: readonly KeptList[]): void {
  const before = lists.get(owner) ?? []
  const fresh = found.filter(({ list }) => !runnerOf(owner, list.id)).map((kept) => new Runner(kept))
  const all = [...before, ...fresh]
  all.sort((a, b) => b.current().list.createdAtMs - a.current().list.createdAtMs)
  lists.set(owner, all)
  for (const runner of fresh) void runner.refresh()
  tell()
}

function drop(owner: string, id: string): void {
  runnerOf(owner, id)?.pause()
  const rest = lists.get(owner)?.filter((runner) => runner.id !== id)
  if (rest) lists.set(owner, rest)
  tell()
}

onMessage(({ owner, id, what }) => {
  const runner = runnerOf(owner, id)
  if (!lists.has(owner)) return
  if (what === 'removed') drop(owner, id)
  else if (what === 'pause') {
    if (runner?.current().phase === 'running') runner.pause()
  } else if (runner) void runner.refresh()
  else void readList(id).then((found) => found && add(owner, [found]))
})

// A page restored from the back/forward cache has missed messages from other tabs.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) for (const runners of lists.values()) for (const runner of runners) void runner.refresh()
})

export async function keep(list: List, pieces: Iterable<Rows>): Promise<Runner> {
  await saveList(list, pieces)
  add(list.owner, [{ list, batches: [] }])
  tellTabs({ owner: list.owner, id: list.id, what: 'changed' })
  return runnerOf(list.owner, list.id)!
}

export async function agree(runner: Runner, { parts }: { readonly parts: readonly PricedPart[] }): Promise<void> {
  const { length: legs } = runner.current().list.legs
  await runner.refresh()
  const { list, answered } = runner.current()
  const records = list.times.length
  const leg = (kind: Kind, ranges: Leg['ranges'], unitPricePence: number): Leg[] =>
    ranges.length === 0
      ? []
      : [{ runId: newRequestKey(), kind, ranges, batchSize: BATCH_SIZE, unitPricePence, closed: false }]
  const added = parts.flatMap(({ kind, cover, unitPricePence }) => {
    const isWaiting = (record: number) => answered.standings[record] === 0 && kindOf(list, record) === kind
    const free = takeRanges(records, isWaiting, cover.free)
    const paid = takeRanges(records, isWaiting, cover.paid, free.at(-1)?.[1] ?? 0)
    return [...leg(kind, free, 0), ...leg(kind, paid, unitPricePence)]
  })
  const settled = [...answered.batches.values()].filter((batch) => !isUnderWay(batch)).length
  const grown = await addLegs(list.id, { legs, settled }, added)
  await runner.refresh()
  if (grown) return
  throw new AssayError('page_failed', 'Another tab continued or removed this list. Check its current state.')
}

export async function remove(runner: Runner): Promise<void> {
  const { owner, id } = runner.current().list
  await removeList(id).catch((error: unknown) => {
    throw asProblem(error)
  })
  drop(owner, id)
  tellTabs({ owner, id, what: 'removed' })
}

/** Undefined while the browser looks for stored lists. */
export function useLists(owner: string): {
  readonly runners: readonly Runner[] | undefined
  readonly problem: unknown
} {
  const runners = useSyncExternalStore(subscribe, () => lists.get(owner))
  const [problem, setProblem] = useState<unknown>()
  useEffect(() => {
    if (lists.has(owner)) return
    readLists(owner).then((found) => add(owner, found), setProblem)
  }, [owner])
  return { runners, problem }
}

export const useRun = (runner: Runner): Run => useSyncExternalStore(runner.subscribe, runner.current)

/** The free units and credit that the open legs of all lists will still use. */
export function promised(owner: string): { readonly freeUnits: number; readonly pence: number } {
  let freeUnits = 0
  let pence = 0
  for (const runner of lists.get(owner) ?? []) {
    const { agreed } = runner.current()
    freeUnits += agreed.free
    pence += agreed.pence
  }
  return { freeUnits, pence }
}

export const useOwner = () => `${useSession().user.id} ${useOrganisation().id}`

export function useSender(): Sender {
  const api = useApi()
  const queries = useQueryClient()
  const { user } = useSession()
  return useMemo(
    () => ({ api, isSignedIn: () => queries.getQueryData(sessionQuery.queryKey)?.user.id === user.id }),
    [api, queries, user.id],
  )
}
