import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { roleMay } from '../access/roles.ts'
import { isTwoFactor, type SignedIn } from '../access/session.ts'
import { changeIn, type Sql } from '../db/sql.ts'
import { Problem } from '../errors.ts'
import { LIST_LIMITS, type OperationDependencies, operation, registerOperations } from '../http/operation.ts'
import { closed, flags, type PageOperation, pageOperation, texts, textsOrNull } from '../http/page-operation.ts'
import { jsonResponse, named } from '../http/schema.ts'
import type { Clock } from '../lib/clock.ts'
import { countUnread, eventView, markRead, readEvents, readInbox, seqOf, UNREAD_MAX } from './events.ts'
import { EVENT_SAMPLE, EventSchema, KEPT_FOR } from './schema.ts'

export function registerEvents(app: FastifyInstance, deps: OperationDependencies & { readonly sql: Sql }): void {
  registerOperations(app, deps, [
    operation({
      name: 'GET /v1/events',
      id: 'listEvents',
      summary: 'Read events',
      description: `Oldest first. Continue with the id of the last event in \`after\`: no event is missed, and none is repeated. ${KEPT_FOR} Events about money also need \`billing:read\`.`,
      scope: 'organisation:read',
      query: Type.Object(
        {
          after: Type.Optional(
            Type.String({
              maxLength: 100,
              description: 'Id of the last event that was read. Default: from the oldest event.',
            }),
          ),
          limit: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: LIST_LIMITS.limitMax,
              description: `Events on a page; default ${LIST_LIMITS.limitDefault}.`,
            }),
          ),
        },
        { additionalProperties: false },
      ),
      answers: {
        200: jsonResponse(
          'The next events.',
          named('EventPage', {
            data: Type.Array(EventSchema),
            has_more: Type.Boolean({ description: 'True if further events are there already.' }),
          }),
          { data: [EVENT_SAMPLE], has_more: false },
        ),
      },
      async handle({ caller, query }) {
        const afterSeq = query.after === undefined ? 0 : seqOf(query.after)
        if (afterSeq === undefined) {
          throw new Problem('invalid_query', { detail: 'after: this is not the id of an event, such as evt_….' })
        }
        const page = await readEvents(deps.sql, caller.organisationId, {
          afterSeq,
          limit: query.limit ?? LIST_LIMITS.limitDefault,
          seesMoney: caller.scopes.has('billing:read'),
        })
        return { data: page.events.map(eventView), has_more: page.hasMore }
      },
    }),
  ])
}

const InEntry = Type.Object(
  { ...texts('id', 'type', 'timestamp', 'summary'), ...textsOrNull('about'), ...flags('unread') },
  { $id: 'InboxEntry' },
)
const INBOX_ROWS = 50
const Organisation = Type.String({ maxLength: 100 })

/** The inbox of the person signed in: events of one organisation, and their own. */
export function inboxPages({ sql, clock }: { readonly sql: Sql; readonly clock: Clock }): PageOperation[] {
  const inboxOf = (signedIn: SignedIn, organisationId: string) => {
    const { person, organisations } = signedIn
    const own = organisations.find(({ id, state, role, requires_second_factor }) => {
      if (id !== organisationId || state === 'disabled' || !roleMay(role, 'organisation:read')) return false
      return !requires_second_factor || isTwoFactor(signedIn)
    })
    const seesMoney = own !== undefined && roleMay(own.role, 'billing:read')
    return { personId: person.id, organisationId: own?.id, seesMoney }
  }
  return [
    pageOperation({
      name: 'GET /api/inbox',
      access: 'person',
      query: Type.Object({
        organisation_id: Organisation,
        before: Type.Optional(Type.String({ pattern: '^\\d{1,15}(\\.\\d{1,15})?$' })),
      }),
      answer: Type.Object({ data: Type.Array(InEntry), ...textsOrNull('next') }, { $id: 'Inbox' }),
      async handle({ who, query }) {
        const inbox = inboxOf(who, query.organisation_id)
        const { entries, next } = await readInbox(sql, inbox, { before: query.before, limit: INBOX_ROWS })
        const data = entries.map(({ event, unread }) => {
          const { id, type, timestamp } = eventView(event)
          return { id, type, timestamp, summary: String(event.data.summary), about: aboutOf(event.data), unread }
        })
        return { data, next }
      },
    }),
    pageOperation({
      name: 'GET /api/inbox/unread',
      access: 'person',
      query: Type.Object({ organisation_id: Organisation }),
      answer: Type.Object({ unread: Type.Integer({ maximum: UNREAD_MAX }) }),
      handle: async ({ who, query }) => ({ unread: await countUnread(sql, inboxOf(who, query.organisation_id)) }),
    }),
    pageOperation({
      name: 'POST /api/inbox/read',
      access: 'person',
      body: closed({ organisation_id: Organisation }),
      handle: ({ who, body }) => changeIn(sql, clock, async (tx) => markRead(tx, inboxOf(who, body.organisation_id))),
    }),
  ]
}

/** The id of the thing, for a link. */
const aboutOf = (data: Readonly<Record<string, unknown>>) =>
  Object.entries(data).flatMap(([name, value]) => (name.endsWith('_id') ? [String(value)] : []))[0] ?? null
