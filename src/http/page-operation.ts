/**
 * One operation of the console's own pages: who may call, its schemas and its handler in one place. The console's
 * client is generated from these; they are not part of the public API.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static, type TSchema } from 'typebox'
import { type Actor, operatorIn } from '../access/actor.ts'
import { requireProof } from '../access/rights.ts'
import type { RequireSession, SignedIn } from '../access/session.ts'
import type { Tx } from '../db/sql.ts'
import { Problem } from '../errors.ts'
import type { Maybe } from '../lib/maybe.ts'
import { answerChange, type ChangeDependencies, sendJson } from './change.ts'
import type { ParamsOf } from './operation.ts'
import { TextOrNull } from './schema.ts'
import { resourceValidator } from './validate.ts'

export interface PageDependencies {
  /** Takes a request from the share of a signed-in person and waits for its turn, or throws 429. */
  readonly takeShare?: (personId: string, reply: FastifyReply) => Maybe<void>
  readonly requireSession: RequireSession
  readonly isOperator: (personId: string) => Promise<boolean>
}

/**
 * Allowed callers. `person`: anybody signed in; changes carry the page's CSRF token. `operator`: a person marked by the
 * operator; others get 404, and changes need a recent authentication. Pages with their own cookie and CSRF token give a
 * function that checks them and returns its result.
 */
type Access = 'anybody' | 'person' | 'operator' | ((request: FastifyRequest, reply: FastifyReply) => Promise<unknown>)

type WhoOf<A extends Access> = A extends 'anybody'
  ? undefined
  : A extends (...given: never[]) => Promise<infer Page>
    ? Page
    : SignedIn

type Given<Schema extends TSchema> = TSchema extends Schema ? undefined : Static<Schema>

/** Handlers may return readonly values. */
type Answered<T> = T extends readonly (infer Item)[]
  ? readonly Answered<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Answered<T[Key]> }
    : T

type Result<Schema extends TSchema> = TSchema extends Schema ? unknown : Answered<Static<Schema>>

export interface PageContext<N extends string, Query, Body, Who> {
  readonly params: ParamsOf<N>
  readonly query: Query
  readonly body: Body
  readonly who: Who
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

interface Spec<Query extends TSchema = TSchema, Body extends TSchema = TSchema, Answer extends TSchema = TSchema> {
  readonly query?: Query
  readonly body?: Body
  /** The body of a successful answer; if absent, the answer is 204. */
  readonly answer?: Answer
}

/** Method and path, with parameters in braces: `POST /api/account/sessions/{session_id}/end`. */
type Name = `${'GET' | 'POST' | 'DELETE'} /api/${string}`

export interface PageOperation extends Spec {
  readonly name: Name
  register(app: FastifyInstance, deps: PageDependencies): void
}

export function pageOperation<
  A extends Access,
  N extends Name,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Answer extends TSchema = TSchema,
>(
  spec: Spec<Query, Body, Answer> & {
    readonly name: N
    readonly access: A
    readonly status?: 201 | 202
    /** The Cache-Control of a successful answer that anybody may cache. */
    readonly cached?: string
    readonly handle: (context: PageContext<N, Given<Query>, Given<Body>, WhoOf<A>>) => Promise<Result<Answer>>
  },
): PageOperation {
  return {
    ...spec,
    register(app, deps) {
      route(app, deps, spec, async (request, reply, who) => {
        const { params, query, body } = request as unknown as PageContext<N, Given<Query>, Given<Body>, never>
        const answer = await spec.handle({ params, query, body, who: who as WhoOf<A>, request, reply })
        // A handler that has sent its own answer, as a file, leaves nothing to send.
        if (reply.sent) return reply
        if (spec.cached !== undefined) reply.header('cache-control', spec.cached)
        return spec.answer ? sendJson(reply.code(spec.status ?? 200), answer) : reply.code(204).send()
      })
    },
  }
}

/**
 * A change that the operator makes on the pages: it calls the rule of the verb of the same name, as the signed-in
 * person, under an idempotency key. A second click, or a retry after a lost answer, does nothing.
 */
export function operatorChange<N extends Name, Body extends TSchema, Answer extends TSchema, Prepared = undefined>(
  changes: ChangeDependencies,
  spec: {
    readonly name: N
    readonly body: Body
    readonly answer: Answer
    /** Slow work before the transaction. */
    readonly prepare?: () => Promise<Prepared>
    readonly handle: (
      tx: Tx,
      context: {
        readonly params: ParamsOf<N>
        readonly body: Static<Body>
        readonly by: (organisationId: string) => Actor
        readonly prepared: Prepared
      },
    ) => Promise<Answered<Static<Answer>>>
    readonly after: (params: ParamsOf<N>) => Promise<void>
  },
): PageOperation {
  const { name, body: schema, answer } = spec
  const operation = { name, body: schema, answer, access: 'operator' } as const
  return {
    ...operation,
    register(app, deps) {
      route(app, deps, operation, async (request, reply, who) => {
        if (request.headers['idempotency-key'] === undefined) {
          throw new Problem('invalid_header', { detail: 'Send an Idempotency-Key, so that a retry changes nothing.' })
        }
        const { params, body } = request as unknown as { params: ParamsOf<N>; body: Static<Body> }
        const prepared = (await spec.prepare?.()) as Prepared
        const { id } = (who as SignedIn).person
        const by = (place: string) => operatorIn(place, { id, ip: request.ip, requestId: request.id })
        const change = async (tx: Tx) => ({
          status: 200 as const,
          body: await spec.handle(tx, { params, body, by, prepared }),
        })
        return answerChange(request, reply, changes, `operator ${id}`, change, () => spec.after(params))
      })
    },
  }
}

export function registerPageOperations(
  app: FastifyInstance,
  deps: PageDependencies,
  operations: readonly PageOperation[],
): void {
  for (const one of operations) one.register(app, deps)
}

function route(
  app: FastifyInstance,
  deps: PageDependencies,
  spec: Spec & { readonly name: Name; readonly access: Access },
  handler: (request: FastifyRequest, reply: FastifyReply, who: unknown) => Promise<FastifyReply>,
): void {
  const [method = '', path = ''] = spec.name.split(' ')
  const look = lookerFor(spec.access, deps)
  const found = new WeakMap<FastifyRequest, unknown>()
  app.route({
    method,
    url: path.replace(/\{(\w+)\}/g, ':$1'),
    validatorCompiler: resourceValidator,
    schema: {
      hide: true,
      params: Type.Object({}),
      ...(spec.query ? { querystring: spec.query } : {}),
      ...(spec.body ? { body: spec.body } : {}),
    } as object,
    // Before the body is read and validated: an unauthorised caller learns nothing from validation errors.
    async onRequest(request, reply) {
      const who = await look(request, reply)
      if (spec.access === 'person' || spec.access === 'operator') {
        await deps.takeShare?.((who as SignedIn).person.id, reply)
      }
      found.set(request, who)
    },
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      // Checked again for a change: a body may arrive long after its headers.
      const who = method === 'GET' ? found.get(request) : await look(request, reply)
      return handler(request, reply, who)
    },
  })
}

function lookerFor(access: Access, deps: PageDependencies): Exclude<Access, string> {
  if (typeof access === 'function') return access
  if (access === 'anybody') return async () => undefined
  if (access === 'person') return deps.requireSession
  return async (request) => {
    const signedIn = await deps.requireSession(request)
    if (!(await deps.isOperator(signedIn.person.id))) {
      throw new Problem('not_found', { detail: 'There is nothing at this path.' })
    }
    if (request.method === 'POST') requireProof(signedIn)
    return signedIn
  }
}

/** A body that allows no other fields. */
export const closed = <Fields extends Record<string, TSchema>>(fields: Fields, ...examples: object[]) =>
  Type.Object(fields, { additionalProperties: false, ...(examples.length > 0 && { examples }) })
/** The body of an edit: at least one of its fields. */
export const edited = <Fields extends Record<string, TSchema>>(fields: Fields, example: object) =>
  Type.Object(fields, { additionalProperties: false, minProperties: 1, examples: [example] })
/** The body of an action that needs no fields. */
export const NoFields = closed({})
/** Text that may hold anything except U+0000, which PostgreSQL cannot store. */
export const Text = (maxLength: number) => Type.String({ maxLength, pattern: '^[^\\u0000]*$' })

const alike =
  <Schema extends TSchema>(schema: Schema) =>
  <Field extends string>(...names: readonly Field[]) =>
    Object.fromEntries(names.map((name) => [name, schema])) as Record<Field, Schema>
/** Fields of an answer that are of one type. */
export const texts = alike(Type.String())
export const textsOrNull = alike(TextOrNull())
export const flags = alike(Type.Boolean())
export const counts = alike(Type.Integer())
export const orNull = <Schema extends TSchema>(schema: Schema, options = {}) =>
  Type.Union([schema, Type.Null()], options)
