import { KINDS } from '@assay/sdk'
import { NativeSelect } from '@mantine/core'
import { ProblemNotice } from '../shell/page.tsx'
import { useAbility, useCall, useList, useRights, useSession } from '../shell/use-session.ts'
import { type CheckItem, indicatorOf, nameOf } from './words.tsx'

/** Deciding needs the right to ask such a question, or to manage the organisation. */
export function useMayDecide(kind: CheckItem['kind']): boolean {
  const rights = useRights()
  return rights.has(KINDS[kind].scope) || rights.has('organisation:write')
}

type Check = Pick<CheckItem, 'id' | 'kind' | 'indicator' | 'review'>

export function AssignedTo({ check }: { check: Check }) {
  const mayDecide = useMayDecide(check.kind)
  const seesMembers = useAbility('read')
  // Somebody who does not see the members can take a check, or give it back.
  const people = useList('members', mayDecide && seesMembers).data ?? []
  const { user } = useSession()
  const assigned = check.review?.assigned_to ?? null
  const assign = useCall('PUT /v1/checks/{check_id}/review')
  const path = { check_id: check.id }
  const known = new Map<string, string>(people.map(({ id, name }) => [id, name]))
  if (!mayDecide) return <bdi>{assigned ? nameOf(assigned) : 'nobody'}</bdi>
  if (assigned) known.set(assigned.id, nameOf(assigned))
  known.set(user.id, 'Me')
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label={`Assigned to: ${indicatorOf(check)}`}
        value={assigned?.id ?? ''}
        disabled={assign.busy}
        onChange={(event) => assign.submit({ path, body: { assigned_to: event.currentTarget.value || null } })}
        data={[{ value: '', label: 'Nobody' }, ...Array.from(known, ([value, label]) => ({ value, label }))]}
      />
      <ProblemNotice error={assign.error} title="Nothing was changed" />
    </>
  )
}
