import type { ReactNode } from 'react'
import type { Client, Key } from '../api/organisation.ts'
import { ago, day } from '../shell/format.ts'
import { type Problem, ProblemNotice, SureButton } from '../shell/page.tsx'
import { twoLines, WideTable } from '../shell/table.tsx'
import { useChange, useList, useRights } from '../shell/use-session.ts'

export const useRevokeKey = () =>
  useChange((own, { id }: Pick<Key, 'id'>) =>
    own.call('DELETE /v1/organisation/keys/{key_id}', { path: { key_id: id } }),
  )

/** Disables or enables an application. */
export const useSetClientState = () =>
  useChange(async (own, { id, state }: Pick<Client, 'id' | 'state'>) => {
    const path = { client_id: id }
    const { etag } = await own.callForVersion('GET /v1/organisation/clients/{client_id}', { path })
    const headers = { 'if-match': etag ?? '' }
    await own.call('PATCH /v1/organisation/clients/{client_id}', { path, body: { state }, headers })
  })

type Made = Pick<Key, 'created_at' | 'created_by'>

/** Tells who made a key or an application, and if they have left since. */
export function useMaker(): (made: Made) => ReactNode {
  const members = useList('members')
  return ({ created_by: by, created_at }) => {
    if (by === null) return twoLines('unknown', day(created_at))
    const left = by.kind === 'person' && members.data?.every(({ id }) => id !== by.id) === true
    const name = <bdi>{by.name ?? (by.kind === 'operator' ? 'the operator' : by.id)}</bdi>
    return twoLines(name, left ? `no longer a member, ${day(created_at)}` : day(created_at))
  }
}

interface Thing extends Made {
  readonly id: string
  readonly name: string
  readonly used: string | null
  readonly end: ReactNode
}

/** The working keys and applications of some people, for whoever may end them. */
export function useMade(isSought: (personId: string) => boolean): { things: readonly Thing[]; error: Problem } {
  const { mayKeep } = useRights()
  const keys = useList('keys')
  const clients = useList('clients')
  const revoke = useRevokeKey()
  const setState = useSetClientState()
  const isTheirs = ({ created_by: by, state }: Key | Client) =>
    state === 'active' && by?.kind === 'person' && isSought(by.id)
  const things = [
    ...(keys.data ?? []).filter(isTheirs).map((key) => ({
      ...key,
      used: key.last_used_at ? ago(key.last_used_at) : 'never',
      end: mayKeep(key.scopes) ? <SureButton label="Revoke" onSure={() => revoke.submit(key)} /> : null,
    })),
    ...(clients.data ?? []).filter(isTheirs).map((client) => ({
      ...client,
      used: null,
      end: mayKeep(client.scopes) ? (
        <SureButton label="Disable" onSure={() => setState.submit({ id: client.id, state: 'disabled' })} />
      ) : null,
    })),
  ]
  return { things, error: revoke.error ?? setState.error }
}

export function MadeTable({ things, error }: ReturnType<typeof useMade>) {
  const maker = useMaker()
  return (
    <>
      <ProblemNotice error={error} title="Nothing was changed" />
      <WideTable
        label="Keys and applications"
        rows={things}
        columns={{
          Name: ({ name, id }) => twoLines(<bdi>{name}</bdi>, id.startsWith('key_') ? 'API key' : 'application'),
          'Made by': maker,
          'Last used': ({ used }) => used,
          Change: ({ end }) => end,
        }}
      />
    </>
  )
}
