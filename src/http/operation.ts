/**
 * One operation of the API: its schema and its handler in one place. Request types come from the schema; authorisation,
 * retries, transactions and the answer's form are handled here, once for all operations.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static, type TSchema } from 'typebox'
import { type Actor, actorOf } from '../access/actor.ts'
import type { Caller } from '../access/caller.ts'
import { callerOf, type Gate, type ResourceGateOptions } from '../access/gate.ts'
import type { Role } from '../access/roles.ts'
import type { Scope } from '../access/scopes.ts'
import type { SqlQueries, Tx } from '../db/sql.ts'
import type { Page } from '../db/table.ts'
import type { Documents } from '../documents/documents.ts'
import { ROWS_AT_ONCE } from '../documents/log.ts'
import type { ProblemCode } from '../errors.ts'
import type { Ring } from '../lib/seal.ts'
import type { TimePosition } from '../lib/time-position.ts'
import { LIMITS, type Weight } from '../limits.ts'
import { answerChange, type ChangeDependencies, type Changed, requireMatch, sendJson } from './change.ts'
import { ORDINARY_JSON } from './json-bounds.ts'
import { mapValues } from './openapi-document.ts'
import { type Cursors, linkNext, type PageKey } from './page.ts'
import {
  BODY_PROBLEMS,
  CHANGE_PROBLEMS,
  ChangeHeaders,
  Cursor,
  EditHeaders,
  pageResponse,
  problemResponses,
  REPLAYED_HEADER,
  resourceProblems,
  security,
} from './schema.ts'
import { countBody } from './server.ts'
import { longBodyValidator, resourceValidator } from './validate.ts'

/** Called after the commit of a change, so that every node drops what it cached. */
export interface Announcing {
  readonly onAccountChanged: (organisationId: string) => Promise<void>
  readonly onPeopleChanged: () => Promise<void>
  readonly onKeysChanged: () => void
  readonly onClientChanged: (clientId: string) => Promise<void>
  readonly onOwnChanged: (organisationId: string) => Promise<void>
}

export interface OperationDependencies extends ChangeDependencies, Announcing {
  readonly baseUrl: string
  readonly ring: Ring
  readonly sendsMail?: boolean | undefined
  readonly cursors: Cursors
  readonly documents: Documents
  /** Where to read logs, usage and statements: a replica, if it has everything that is committed now. */
  readonly reading: () => Promise<SqlQueries>
  readonly gate: (options: ResourceGateOptions) => Gate
  /** Authenticates and authorises the caller again, without a cache. */
  readonly reauthorise: (request: FastifyRequest, options: ResourceGateOptions) => Promise<void>
}

export type ParamsOf<N extends string> = N extends `${string}{${infer Param}}${infer Rest}`
  ? { readonly [Key in Param]: string } & ParamsOf<Rest>
  : unknown

/** A request as a handler sees it: validated and typed by the schema. */
export interface Context<N extends string, Query, Body> {
  readonly params: ParamsOf<N>
  readonly query: Query
  readonly body: Body
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

export interface Answering<N extends string, Query, Body> extends Context<N, Query, Body> {
  readonly caller: Caller
  readonly actor: Actor
}

export interface Changing<N extends string, Query, Body> extends Context<N, Query, Body> {
  readonly actor: Actor
  /**
   * RFC 9110 §13.1.1, for `edit`: refuses if somebody changed the resource since the caller read it. Call under lock.
   */
  readonly requireMatch: (etag: string) => void
}

type Name = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /v1/${string}`

/** The tag of an operation, by the first part of its path. */
const TAGS: Readonly<Record<string, string>> = {
  checks: 'History',
  reviews: 'History',
  receipts: 'History',
  billing: 'Billing',
  plans: 'Billing',
  checkout: 'Checkout',
  'webhooks/stripe': 'Checkout',
  events: 'Events',
  webhooks: 'Events',
  organisation: 'Organisation',
  invitations: 'Organisation',
  requests: 'Organisation',
  'own-lists': 'Own knowledge',
  'decision-rules': 'Own knowledge',
  counterparties: 'Counterparties',
  payments: 'Counterparties',
}

/** Parameters of paths whose description does not follow from their name. */
const PARAMETERS: Readonly<Record<string, string>> = {
  client_id: 'Id of the application.',
  domain: 'The domain, as in the list.',
  list: 'One of `allow`, `block` and `review`.',
  member_id: 'Id of the person.',
  month: 'Calendar month, UTC: YYYY-MM.',
  version: 'Number of the version.',
  reference: 'The number of the counterparty in your own books.',
}

interface Spec<N extends Name, Query extends TSchema, Body extends TSchema> {
  /** Method and path, with parameters in braces: `GET /v1/organisation/keys/{key_id}`. */
  readonly name: N
  /** The name of the operation in the OpenAPI document. */
  readonly id: string
  readonly summary: string
  readonly description?: string
  readonly query?: Query
  readonly body?: Body
  /** For a body of many values: its limits (json-bounds.ts). It is checked by a compiled schema. */
  readonly longBody?: { readonly bytesMax: number; readonly marksMax: number }
  /** Headers that only the document needs. */
  readonly headers?: TSchema
  /** The successful answers, by status. */
  readonly answers: Readonly<Record<number, TSchema>>
  readonly problems?: readonly ProblemCode[]
  /**
   * Some of its changes are sensitive (access/rights.ts, rule 7): a signed-in person may have to authenticate again.
   */
  readonly sensitive?: true
}

/** Allowed callers: those with the scope, and signed-in people with one of the roles. */
interface Gated {
  readonly scope: Scope
  /** Any one of these replaces `scope`. */
  readonly orScopes?: readonly Scope[]
  readonly roles?: readonly Role[]
  /** How much of the organisation's share a request uses; default `read`. */
  readonly weight?: (request: FastifyRequest) => Weight
}

/** Anybody may call; then the operation lists every problem it answers with. */
interface Public {
  readonly scope: 'public'
}

type Access = Gated | Public

/** The context of a handler: the caller is known unless the operation is public. */
type Seen<S, N extends string, Query, Body> = S extends 'public' ? Context<N, Query, Body> : Answering<N, Query, Body>

type Given<Schema extends TSchema> = TSchema extends Schema ? undefined : Static<Schema>

export interface Operation {
  readonly id: string
  register(app: FastifyInstance, deps: OperationDependencies): void
}

/**
 * An operation that reads, or whose work does not fit one transaction. It returns the body, or sends another form
 * itself.
 */
export function operation<
  S extends Access['scope'],
  N extends Name,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
>(
  spec: Spec<N, Query, Body> &
    Access & {
      readonly scope: S
      readonly handle: (context: Seen<S, N, Given<Query>, Given<Body>>) => Promise<unknown>
    },
): Operation {
  const handle = spec.handle as (context: Answering<N, Given<Query>, Given<Body>>) => Promise<unknown>
  return {
    id: spec.id,
    register(app, deps) {
      route(app, deps, spec, undefined, async (request, reply) => {
        const context = contextOf<N, Given<Query>, Given<Body>>(request, reply)
        const who = spec.scope === 'public' ? {} : { caller: callerOf(request), actor: actorOf(request) }
        const answer = await handle({ ...context, ...who } as Answering<N, Given<Query>, Given<Body>>)
        // A handler that has sent its own answer, as CSV or a document, leaves nothing to send.
        return reply.sent ? reply : sendJson(reply, answer)
      })
    },
  }
}

/**
 * An operation that changes something: one transaction holds the change, its audit entry and, under an Idempotency-Key,
 * the answer stored for retries.
 */
export function change<
  A extends Access,
  N extends Name,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Prepared = undefined,
>(
  spec: Spec<N, Query, Body> &
    A & {
      /** `edit` takes If-Match. */
      readonly edit?: true
      /** Work before the transaction: refusals without a lock, slow work such as hashing a password. */
      readonly prepare?: (context: Context<N, Given<Query>, Given<Body>>) => Promise<Prepared>
      /** Public operations: the owner of the Idempotency-Keys. */
      readonly repeater?: (context: Context<N, Given<Query>, Given<Body>>) => string
      /** The answer; 204 if it returns nothing. */
      readonly handle: (
        tx: Tx,
        context: Changing<N, Given<Query>, Given<Body>> & { readonly prepared: Prepared },
      ) => Promise<Changed> | Promise<void>
      /** Runs when the change is durable, before the answer is sent. */
      readonly after?: (context: Context<N, Given<Query>, Given<Body>>) => void | Promise<void>
    },
): Operation {
  return {
    id: spec.id,
    register(app, deps) {
      route(app, deps, spec, spec.edit ? 'edit' : 'make', async (request, reply) => {
        const context = contextOf<N, Given<Query>, Given<Body>>(request, reply)
        if (spec.scope !== 'public') await deps.reauthorise(request, gateOptions(spec.scope, spec))
        const prepared = (await spec.prepare?.(context)) as Prepared
        const actor = (spec.scope === 'public' ? undefined : actorOf(request)) as Actor
        // Bound to the sender: a stored answer may contain a secret that others may not see.
        const repeater = spec.repeater?.(context) ?? `${actor.organisationId} ${actor.kind} ${actor.id}`
        const match = (etag: string) => requireMatch(request, etag)
        return answerChange(
          request,
          reply,
          deps,
          repeater,
          async (tx) =>
            (await spec.handle(tx, { ...context, actor, prepared, requireMatch: match })) ?? { status: 204 },
          () => spec.after?.(context),
        )
      })
    },
  }
}

export function registerOperations(
  app: FastifyInstance,
  deps: OperationDependencies,
  operations: readonly Operation[],
): void {
  for (const one of operations) one.register(app, deps)
}

function contextOf<N extends string, Query, Body>(request: FastifyRequest, reply: FastifyReply) {
  // The validator has checked each of them against the schema of these types.
  const { params, query, body } = request as unknown as Context<N, Query, Body>
  return { params, query, body, request, reply }
}

function route(
  app: FastifyInstance,
  deps: OperationDependencies,
  spec: Spec<Name, TSchema, TSchema> & Access,
  changes: 'make' | 'edit' | undefined,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  const [method = '', path = ''] = spec.name.split(' ')
  app.route({
    method,
    url: path.replace(/\{(\w+)\}/g, ':$1'),
    validatorCompiler: spec.longBody ? longBodyValidator : resourceValidator,
    ...(spec.scope === 'public' ? {} : { onRequest: deps.gate(gateOptions(spec.scope, spec)) }),
    ...(spec.longBody
      ? {
          bodyLimit: spec.longBody.bytesMax,
          preParsing: countBody({ ...ORDINARY_JSON, marksMax: spec.longBody.marksMax }),
        }
      : {}),
    schema: schemaOf(spec, changes),
    handler,
  })
}

const gateOptions = (scope: Scope, access: Omit<Gated, 'scope'>): ResourceGateOptions => ({
  scopes: [scope],
  orScopes: access.orScopes ?? [],
  roles: access.roles ?? [],
  weight: access.weight,
})

function schemaOf(spec: Spec<Name, TSchema, TSchema> & Access, changes: 'make' | 'edit' | undefined) {
  const { name, query, body, scope } = spec
  const params = [...name.matchAll(/\{(\w+)\}/g)].map(([, param = '']) => param)
  const problems: ProblemCode[] = [
    ...(changes ? CHANGE_PROBLEMS : body ? BODY_PROBLEMS : []),
    ...(scope === 'public'
      ? (['invalid_header', 'internal', 'overloaded', 'shutting_down', 'maintenance'] as const)
      : []),
    ...(changes === 'edit' ? (['precondition_failed', 'precondition_required'] as const) : []),
    ...(query ? (['invalid_query', 'validation_failed'] as const) : []),
    ...(params.length > 0 && scope !== 'public' ? (['not_found'] as const) : []),
    ...(spec.sensitive ? (['proof_needed'] as const) : []),
    ...(spec.problems ?? []),
  ]
  const scopes = spec.scope === 'public' ? [] : [spec.scope, ...(spec.orScopes ?? [])]
  const named = scopes.map((name) => `\`${name}\``).join(', ')
  const needs = scopes.length > 1 ? `Needs one of the scopes ${named}.` : named && `Needs the scope ${named}.`
  const description = [spec.description, needs].filter(Boolean).join(' ')
  return {
    tags: [TAGS[name.split('/').slice(2).join('/')] ?? TAGS[name.split('/')[2] ?? ''] ?? ''],
    operationId: spec.id,
    summary: spec.summary,
    ...(description === '' ? {} : { description }),
    security: scope === 'public' ? [] : security(scopes),
    ...(params.length > 0 ? { params: Type.Object(Object.fromEntries(params.map(parameterOf))) } : {}),
    ...(query ? { querystring: query } : {}),
    ...(body ? { body } : {}),
    ...(spec.headers ? { headers: spec.headers } : {}),
    ...(changes ? { headers: changes === 'edit' ? EditHeaders : ChangeHeaders } : {}),
    response: {
      ...(changes ? mapValues(spec.answers, withReplay) : spec.answers),
      ...(scope === 'public' ? problemResponses([...new Set(problems)]) : resourceProblems(...problems)),
    },
  }
}

/** The answer to a change may be a stored one, given again. */
function withReplay(answer: TSchema): TSchema {
  const { headers } = answer as { headers?: object }
  return headers ? { ...answer, headers: { ...headers, ...REPLAYED_HEADER } } : answer
}

function parameterOf(name: string) {
  const description = PARAMETERS[name] ?? `Id of the ${name.replace(/_id$/, '')}.`
  return [name, Type.String({ description })]
}

/** One of a list of words: the type of the request is their union. */
export function oneOf<const T extends string>(
  names: readonly T[],
  options: { $id?: string; description?: string; examples?: readonly T[] } = {},
) {
  return Type.Unsafe<T>({ type: 'string', enum: [...names], ...options })
}

/** `limit` and `cursor` of a list, beside its filters. */
export function pageQuery<Filters extends Record<string, TSchema>>(
  filters: Filters,
  limits: { readonly limitMax: number; readonly limitDefault: number },
) {
  return Type.Object(
    {
      ...filters,
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: limits.limitMax,
          description: `Rows on a page, fewer if they are very long; default ${limits.limitDefault}.`,
        }),
      ),
      cursor: Cursor,
    },
    { additionalProperties: false },
  )
}

export type ListDependencies = Pick<OperationDependencies, 'baseUrl' | 'cursors'>

/**
 * Finds where a page of a list by time begins, and answers with `data`, `next_cursor` and the Link header. A page of long
 * rows ends early.
 */
export async function answerPage<Entity, View>(
  context: Pick<
    Answering<Name, { limit?: number | undefined; cursor?: string | undefined }, unknown>,
    'caller' | 'query' | 'request' | 'reply'
  >,
  deps: ListDependencies,
  input: {
    /** The list and its filters: a cursor is valid for one list only. */
    readonly list: readonly unknown[]
    readonly limitDefault: number
    readonly read: (from: TimePosition | undefined, limit: number) => Promise<Page<Entity>>
    readonly view: (entity: Entity) => View
  },
): Promise<{ data: View[]; next_cursor: string | null }> {
  const { caller, query, request, reply } = context
  const key: PageKey = { organisationId: caller.organisationId, list: JSON.stringify(input.list) }
  const at = query.cursor === undefined ? undefined : await deps.cursors.read(key, query.cursor, ['number', 'text'])
  const limit = query.limit ?? input.limitDefault
  const data: View[] = []
  let from: TimePosition | undefined = at && { createdAtMs: at[0], id: at[1] }
  let characters = 0
  do {
    const page = await input.read(from, Math.min(limit - data.length, ROWS_AT_ONCE))
    const views = page.rows.map((row) => input.view(row))
    data.push(...views)
    // Serialises at most one page a second time: the length of the rows is not known before.
    characters += JSON.stringify(views).length
    from = page.next
  } while (from && data.length < limit && characters < LIMITS.pages.pageBytesMax)
  const next = from ? deps.cursors.make(key, [from.createdAtMs, from.id]) : null
  linkNext(request, reply, deps.baseUrl, next)
  return { data, next_cursor: next }
}

export const LIST_LIMITS = { limitMax: LIMITS.pages.rowsMax, limitDefault: LIMITS.pages.rowsDefault }

/** An operation that lists an organisation's records by time, page by page. */
export function list<Entity>(
  deps: ListDependencies,
  spec: Pick<Spec<`GET /v1/${string}`, TSchema, TSchema>, 'name' | 'id' | 'summary'> & {
    readonly scope: Scope
    readonly roles?: readonly Role[]
    /** Describes the content and order of a page. */
    readonly about: string
    readonly schema: TSchema
    readonly sample: unknown
    readonly read: (
      organisationId: string,
      page: { readonly from: TimePosition | undefined; readonly limit: number },
      caller: Caller,
    ) => Promise<Page<Entity>>
    readonly view: (entity: Entity) => unknown
  },
): Operation {
  const { about, schema, sample, read, view, ...rest } = spec
  return operation({
    ...rest,
    query: pageQuery({}, LIST_LIMITS),
    answers: { 200: pageResponse(about, schema, sample) },
    handle: (context) =>
      answerPage(context, deps, {
        list: [spec.id],
        limitDefault: LIST_LIMITS.limitDefault,
        read: (from, limit) => read(context.caller.organisationId, { from, limit }, context.caller),
        view,
      }),
  })
}

/** Reads one thing, with its version for If-Match. */
export function readOne<N extends Name, Entity>(
  spec: Spec<N, TSchema, TSchema> &
    Gated & {
      readonly read: (caller: Caller, params: ParamsOf<N>) => Promise<Entity>
      readonly etag: (entity: Entity) => string
      readonly view: (entity: Entity, caller: Caller) => unknown
    },
): Operation {
  const { read, etag, view, ...rest } = spec
  return operation({
    ...rest,
    async handle({ caller, params, reply }) {
      const entity = await read(caller, params)
      reply.header('etag', etag(entity))
      return view(entity, caller)
    },
  })
}
