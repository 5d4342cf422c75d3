import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static, type TSchema } from 'typebox'
import { operatorIn } from '../../access/actor.ts'
import { requireProof } from '../../access/rights.ts'
import type { RequireSession } from '../../access/session.ts'
import type { Tx } from '../../db/sql.ts'
import { Problem } from '../../errors.ts'
import { answerChange, type ChangeDependencies, type Changed, sendJson } from '../../http/change.ts'
import { resourceValidator } from '../../http/validate.ts'
import type { ByOperator } from '../members/members.ts'
import { resetPassword } from './changes.ts'
import { isOperator } from './operators.ts'
import { hashPassword, newPassword } from './passwords.ts'

/**
 * Routes of the operator's pages: for people whom the operator marked; for anybody else there is nothing here. A change
 * calls what the verb of the same name calls, in the name of whoever is signed in, under a key: a second click, or a
 * repeat after a lost answer, does nothing.
 */
export interface OperatorDependencies extends ChangeDependencies {
  readonly requireSession: RequireSession
  /** Told after the commit, so that no node goes on by what it remembers. */
  readonly onPeopleChanged: () => Promise<void>
}

const NOTHING = { detail: 'There is nothing at this path.' }

async function requireOperator(
  deps: OperatorDependencies,
  request: FastifyRequest,
  does: 'reads' | 'changes',
): Promise<string> {
  const signedIn = await deps.requireSession(request)
  if (!(await isOperator(deps.sql, signedIn.person.id))) throw new Problem('not_found', NOTHING)
  if (does === 'changes') requireProof(signedIn)
  return signedIn.person.id
}

type Params<Name extends string> = Readonly<Record<Name, string>>

export function operatorRead<Query extends TSchema, Name extends string = never>(
  app: FastifyInstance,
  deps: OperatorDependencies,
  route: {
    readonly path: string
    readonly query: Query
    readonly handle: (params: Params<Name>, query: Static<Query>) => Promise<unknown>
  },
): void {
  app.route({
    method: 'GET',
    url: route.path,
    validatorCompiler: resourceValidator,
    schema: { hide: true, querystring: route.query, params: Type.Object({}) } as object,
    onRequest: async (request) => void (await requireOperator(deps, request, 'reads')),
    handler: async (request, reply) => {
      const answer = await route.handle(request.params as Params<Name>, request.query as Static<Query>)
      return sendJson(unkept(reply), answer)
    },
  })
}

export function operatorChange<Body extends TSchema, Name extends string, Prepared = undefined>(
  app: FastifyInstance,
  deps: OperatorDependencies,
  route: {
    readonly path: string
    readonly body: Body
    /** Slow work before the transaction. */
    readonly prepare?: () => Promise<Prepared>
    readonly handle: (
      tx: Tx,
      context: {
        readonly params: Params<Name>
        readonly body: Static<Body>
        readonly by: ByOperator
        readonly prepared: Prepared
      },
    ) => Promise<Changed>
    readonly after: (params: Params<Name>) => Promise<void>
  },
): void {
  app.route({
    method: 'POST',
    url: route.path,
    validatorCompiler: resourceValidator,
    schema: { hide: true, body: route.body, params: Type.Object({}) } as object,
    // Before the body is read and judged: a stranger learns nothing by what is wrong with it.
    onRequest: async (request) => void (await requireOperator(deps, request, 'changes')),
    handler: async (request, reply) => {
      if (request.headers['idempotency-key'] === undefined) {
        throw new Problem('invalid_header', { detail: 'Send an Idempotency-Key, so that a repeat changes nothing.' })
      }
      const params = request.params as Params<Name>
      const prepared = (await route.prepare?.()) as Prepared
      // Once more: a body may come long after its headers, and what is prepared takes its time.
      const id = await requireOperator(deps, request, 'changes')
      const by: ByOperator = (place) => operatorIn(place, { id, ip: request.ip, requestId: request.id })
      return answerChange(
        request,
        unkept(reply),
        deps,
        `operator ${id}`,
        (tx) => route.handle(tx, { params, body: request.body as Static<Body>, by, prepared }),
        () => route.after(params),
      )
    },
  })
}

const unkept = (reply: FastifyReply) => reply.header('cache-control', 'no-store')

/** An act that takes no more than the thing it is about. */
export const NoBody = Type.Object({}, { additionalProperties: false })

export function registerPersonActs(app: FastifyInstance, deps: OperatorDependencies): void {
  operatorChange<typeof NoBody, 'person_id', { password: string; passwordHash: string }>(app, deps, {
    path: '/api/operator/people/:person_id/reset-password',
    body: NoBody,
    async prepare() {
      const password = newPassword()
      return { password, passwordHash: await hashPassword(password) }
    },
    async handle(tx, { params, by, prepared }) {
      const person = await resetPassword(tx, params.person_id, prepared.passwordHash, by)
      return { status: 200, body: { id: person.id, email: person.email, password: prepared.password } }
    },
    after: deps.onPeopleChanged,
  })
}
