import type { ReactNode } from 'react'
import type { Body } from '../api/client.ts'
import type { Client, Key } from '../api/organisation.ts'
import { ago, day } from '../shell/format.ts'
import { ProblemNotice, SureButton } from '../shell/page.tsx'
import { twoLines, WideTable } from '../shell/table.tsx'
import { useCall, useChange, useList, useRights } from '../shell/use-session.ts'

export const useRevokeKey = () => useCall('DELETE /v1/organisation/keys/{key_id}')

export const useChangeClient = () =>
  useChange(async (own, { id, ...body }: Pick<Client, 'id'> & Body<'PATCH /v1/organisation/clients/{client_id}'>) => {
    const path = { client_id: id }
    const { etag } = await own.callForVersion('GET /v1/organisation/clients/{client_id}', { path })
    const headers = { 'if-match': etag ?? '' }
    await own.call('PATCH /v1/organisation/clients/{client_id}', { path, body, headers })
  })

type Made = Pick<Key, 'created_at' | 'created_by'>

/** True for a person who is not a member; false while the members are loading. */
export function useHasLeft(): (made: Made) => boolean {
  const members = useList('members').data
  return ({ created_by: by }) => by?.kind === 'person' && members?.every(({ id }) => id !== by.id) === true
}

/** Tells who made a key or an application, and if they have left since. */
export function useMaker(): (made: Made) => ReactNode {
  const hasLeft = useHasLeft()
  return (made) => {
    const { created_by: by, created_at } = made
    const name = by?.name ?? (by === null ? 'unknown' : by.kind === 'operator' ? 'the operator' : by.id)
    return twoLines(<bdi>{name}</bdi>, `on ${day(created_at)}${hasLeft(made) ? '; no longer a member' : ''}`)
  }
}

export const lastUsed = ({ last_used_at: used }: Pick<Key, 'last_used_at'>) => (used ? ago(used) : 'never')

/** The working keys and applications of some people. */
export function useMade(isTheirs: (made: Made) => boolean): readonly (Key | Client)[] {
  const [keys, clients] = [useList('keys').data ?? [], useList('clients').data ?? []]
  return [...keys, ...clients].filter((one) => one.state === 'active' && isTheirs(one))
}

/** Keys and applications, each with a way to end it. */
export function MadeTable({ things }: { things: readonly (Key | Client)[] }) {
  const { mayKeep } = useRights()
  const revoke = useRevokeKey()
  const setState = useChangeClient()
  const maker = useMaker()
  return (
    <>
      <ProblemNotice error={revoke.error ?? setState.error} title="Nothing was changed" />
      <WideTable
        label="Keys and applications"
        rows={things}
        columns={{
          Name: (one) => twoLines(<bdi>{one.name}</bdi>, 'hint' in one ? 'API key' : 'application'),
          'Made by': maker,
          'Last used': lastUsed,
          Change: (one) =>
            !mayKeep(one.scopes) ? null : 'hint' in one ? (
              <SureButton label="Revoke" of={revoke} input={{ path: { key_id: one.id } }} />
            ) : (
              <SureButton label="Disable" of={setState} input={{ id: one.id, state: 'disabled' }} />
            ),
        }}
      />
    </>
  )
}
