import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Actor } from '../access/actor.ts'
import { requireProof } from '../access/rights.ts'
import { change, type Operation, type OperationDependencies, operation, registerOperations } from '../http/operation.ts'
import { type PageOperation, pageOperation } from '../http/page-operation.ts'
import { fileResponse, jsonResponse, noContent, TextLike, Time, TimeOrNull, withSample } from '../http/schema.ts'
import { askToErase, cancelErasure, type ErasureRules, erasureView, requireErasure } from '../identity/erasures.ts'
import { READING, WRITING } from '../identity/members/http.ts'
import { requireOwner } from '../identity/organisation/organisations.ts'
import { keysOfChecks } from '../record/sealed.ts'
import { type ExportOf, exportName, exportOf, exportPart } from './export.ts'

/** Leaving: everything of an organisation or a person as an archive, and the erasure of an organisation. */
export type LeavingDependencies = OperationDependencies & ErasureRules

const { schema, sample } = withSample('Erasure', {
  id: [TextLike('era_4kQ2mXb7TzR1yLw9c012'), 'era_4kQ2mXb7TzR1yLw9c012'],
  requested_at: [Time('When it was requested.'), '2026-03-02T10:15:30.000Z'],
  erased_from: [Time('When the waiting time ends; until then it can be cancelled.'), '2026-03-09T10:15:30.000Z'],
  erased_at: [TimeOrNull('When everything was erased; null before.'), null],
})

const subjectOf = ({ organisationId: id }: Actor) => ({ kind: 'organisation', id }) as const

function leavingOperations(deps: LeavingDependencies): Operation[] {
  const { sql, clock, ring } = deps
  return [
    operation({
      ...READING,
      name: 'GET /v1/organisation/export',
      id: 'exportOrganisation',
      summary: 'Download everything of the organisation as one archive',
      description:
        'Only for a signed-in owner. A gzipped tar of JSON lines, one file for each kind, and a `manifest.json` with the number of rows and the SHA-256 of each file. Keys, passwords and secrets are not inside.',
      sensitive: true,
      weight: () => 'export',
      answers: {
        200: fileResponse('The archive. Without `manifest.json` at its end it is incomplete.', 'application/gzip', '…'),
      },
      async handle({ actor, reply }) {
        requireOwner(actor, 'everything is downloaded')
        const { organisationId: id } = actor
        return sendExport(reply, deps, { kind: 'organisation', id, keys: keysOfChecks(ring), nowMs: clock.now() })
      },
    }),
    operation({
      ...READING,
      name: 'GET /v1/organisation/erasure',
      id: 'readErasure',
      summary: 'Read the request to erase the organisation',
      answers: { 200: jsonResponse('The request.', schema, sample) },
      handle: async ({ caller }) => erasureView(await requireErasure(sql, caller.organisationId)),
    }),
    change({
      ...WRITING,
      name: 'POST /v1/organisation/erasure',
      id: 'requestErasure',
      summary: 'Ask to erase the organisation with everything in it',
      description:
        'Only for a signed-in owner. After the waiting time everything is erased for good and remaining credit is lost; invoices are kept by law. The owners are notified by mail. A second request changes nothing.',
      answers: { 201: jsonResponse('The request.', schema, sample) },
      async handle(tx, { actor }) {
        const erasure = await askToErase(tx, deps, () => actor, subjectOf(actor))
        return { status: 201, body: erasureView(erasure) }
      },
    }),
    change({
      ...WRITING,
      name: 'DELETE /v1/organisation/erasure',
      id: 'cancelErasure',
      summary: 'Cancel the request to erase the organisation',
      answers: { 204: noContent('Nothing will be erased.') },
      handle: (tx, { actor }) => cancelErasure(tx, deps, () => actor, subjectOf(actor)),
    }),
  ]
}

export function registerLeaving(app: FastifyInstance, deps: LeavingDependencies): void {
  registerOperations(app, deps, leavingOperations(deps))
}

export type LeavingPageDependencies = Pick<OperationDependencies, 'clock' | 'documents'>

export function leavingPages(deps: LeavingPageDependencies): PageOperation[] {
  return [
    pageOperation({
      name: 'GET /api/account/export',
      access: 'person',
      async handle({ who, reply }) {
        requireProof(who)
        return sendExport(reply, deps, { kind: 'person', id: who.person.id, keys: [], nowMs: deps.clock.now() })
      },
    }),
  ]
}

/** Each part is made in the organisation's or person's turn, when the part before has been taken by the connection. */
function sendExport(reply: FastifyReply, { documents }: LeavingPageDependencies, of: ExportOf): FastifyReply {
  let release: () => void = () => {}
  const parts = exportOf(of, async (input) => {
    release()
    const whenSent = (done: (sent: boolean) => void) => {
      // Not “sent”: the connection may still hold the bytes.
      release = () => done(false)
    }
    return documents.make(exportPart, input, { organisationId: of.id, whenSent })
  })
  const stream = Readable.from(parts, { objectMode: false })
  stream.once('close', () => release())
  return reply
    .header('content-type', 'application/gzip')
    .header('content-disposition', `attachment; filename="${exportName(of)}"`)
    .send(stream)
}
