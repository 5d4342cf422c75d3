import Type from 'typebox'
import { ROLE_NAMES, ROLES, type Role } from '../../access/roles.ts'
import { etagOf } from '../../http/change.ts'
import { change, list, type Operation, type OperationDependencies, oneOf, readOne } from '../../http/operation.ts'
import { closed } from '../../http/page-operation.ts'
import { ETAG_HEADER, jsonResponse, noContent, Time, withSample } from '../../http/schema.ts'
import { iso } from '../../lib/clock.ts'
import { changeRole, listMembers, type Member, removeMember, requireMember } from './members.ts'

export const RoleSchema = oneOf(ROLE_NAMES, {
  $id: 'Role',
  description: `${ROLE_NAMES.map((role) => `${role}: ${ROLES[role].about.toLowerCase()}`).join('; ')}.`,
})

const { schema, sample } = withSample('Member', {
  id: [Type.String(), 'usr_7Jk2mNpQrStUvWxYz012'],
  name: [Type.String(), 'Jane Doe'],
  email: [Type.String(), 'jane@company.example'],
  role: [RoleSchema, 'developer'],
  state: [oneOf(['active', 'disabled']), 'active'],
  joined_at: [Time('When they joined.'), '2026-01-05T09:00:00.000Z'],
  second_factor: [
    Type.Union([Type.Boolean(), Type.Null()], {
      description: 'True if the member has a passkey or one-time codes. Null unless a signed-in owner asks.',
    }),
    null,
  ],
})
export const MemberSchema = schema
export const READING = { scope: 'organisation:read' } as const
/** Changes of the organisation are sensitive. They lock it, and one that was erased is refused (409). */
export const WRITING = { scope: 'organisation:write', sensitive: true, problems: ['conflict'] } as const

export function memberOperations(deps: OperationDependencies): Operation[] {
  const { sql, onPeopleChanged: after } = deps
  return [
    list(deps, {
      ...READING,
      name: 'GET /v1/organisation/members',
      id: 'listMembers',
      summary: 'List the members',
      about: 'A page of members, in the order they joined.',
      schema,
      sample,
      async read(organisationId, page, caller) {
        const { rows, next } = await listMembers(sql, organisationId, page)
        return { rows: rows.map((member) => seenBy(caller, member)), next }
      },
      view: (member) => member,
    }),
    readOne({
      ...READING,
      name: 'GET /v1/organisation/members/{member_id}',
      id: 'readMember',
      summary: 'Read one member',
      answers: { 200: jsonResponse('The member.', schema, sample, ETAG_HEADER) },
      read: ({ organisationId }, params) => requireMember(sql, organisationId, params.member_id),
      etag: memberEtag,
      view: (member, caller) => seenBy(caller, member),
    }),
    change({
      ...WRITING,
      edit: true,
      name: 'PATCH /v1/organisation/members/{member_id}',
      id: 'editMember',
      summary: 'Change the role of a member',
      description:
        'The caller needs every scope of the old and the new role. Only signed-in owners add or remove owners; the last owner cannot be removed (409).',
      body: closed({ role: RoleSchema }, { role: 'admin' }),
      answers: { 200: jsonResponse('The current state.', schema, sample, ETAG_HEADER) },
      async handle(tx, { actor, params, body, requireMatch }) {
        const member = await changeRole(tx, actor, { personId: params.member_id, role: body.role }, (before) =>
          requireMatch(memberEtag(before)),
        )
        return { status: 200, body: seenBy(actor, member), headers: { etag: memberEtag(member) } }
      },
      after,
    }),
    change({
      ...WRITING,
      // Everybody may leave; removing others is checked in the rule.
      roles: ROLE_NAMES,
      name: 'DELETE /v1/organisation/members/{member_id}',
      id: 'removeMember',
      summary: 'Remove a member, or leave',
      description:
        'A signed-in person may remove themselves; removing another member needs every scope of their role. The last owner cannot leave (409). Consents of the member to applications in this organisation end.',
      answers: { 204: noContent('Removed.') },
      handle: (tx, { actor, params }) => removeMember(tx, actor, params.member_id),
      after,
    }),
  ]
}

const memberEtag = (member: Member): string => etagOf([member.id, member.role])

export function memberView({ id, name, email, role, state, created_at, second_factor }: Member) {
  return { id, name, email, role, state, joined_at: iso(created_at), second_factor }
}

/** Only owners see who has no second factor: for these people a stolen password is enough. */
function seenBy({ role }: { readonly role?: Role | undefined }, member: Member) {
  return { ...memberView(member), ...(role !== 'owner' && { second_factor: null }) }
}
