import { finished } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Turn } from '../documents/documents.ts'
import type { LogInput, Position } from '../documents/log.ts'
import type { Maker } from '../documents/maker.ts'
import { LIMITS, type Weight } from '../limits.ts'
import { preferredType, sendCsv } from './csv.ts'
import type { Answering, OperationDependencies } from './operation.ts'
import { linkNext, type PageKey, type Shape } from './page.ts'
import { closed } from './page-operation.ts'
import { Cursor, LogLimit, logLimit, pageResponse, withForms } from './schema.ts'

type LogContext = Pick<
  Answering<string, { limit?: number | undefined; cursor?: string | undefined }, unknown>,
  'caller' | 'query' | 'request' | 'reply'
>

/** An export is a CSV file, or a page with more rows than other lists have. */
const logWeight = (request: FastifyRequest): Weight =>
  wantsCsv(request) || Number((request.query as { limit?: unknown }).limit) > LIMITS.pages.rowsMax ? 'export' : 'read'

const wantsCsv = (request: FastifyRequest) => preferredType(request, ['application/json', 'text/csv']) === 'text/csv'

/** Weight, query and answers of a log: a page as JSON, or a CSV file with these columns. */
export const logForms = <Filters extends Record<string, TSchema>>(log: {
  readonly about: string
  readonly schema: TSchema
  readonly sample?: unknown
  readonly columns: readonly string[]
  readonly filters: Filters
}) => ({
  weight: logWeight,
  query: closed({ ...log.filters, limit: LogLimit, cursor: Cursor }),
  answers: {
    200: withForms(pageResponse(log.about, log.schema, log.sample), { 'text/csv': `${log.columns.join(',')}\r\n` }),
  },
})

/** Sends a page of a log as JSON or as CSV. Exports are made on the documents thread. */
export async function answerLog<Query, At extends Position>(
  context: LogContext,
  deps: Pick<OperationDependencies, 'reading' | 'documents' | 'cursors' | 'baseUrl'>,
  log: {
    readonly maker: Maker<LogInput<Query, At>, At | undefined>
    readonly query: Query
    /** The log and its filters: a cursor is valid for one list only. */
    readonly list: readonly unknown[]
    /** The types of a position. */
    readonly shape: Shape
    readonly fileName: string
  },
) {
  const { caller, request, reply } = context
  const { limit, cursor } = context.query
  const asCsv = wantsCsv(request)
  const key: PageKey = { organisationId: caller.organisationId, list: JSON.stringify(log.list) }
  const after = cursor === undefined ? undefined : await deps.cursors.read(key, cursor, log.shape)
  const input: LogInput<Query, At> = {
    query: log.query,
    form: asCsv ? 'csv' : 'json',
    after: after as unknown as At | undefined,
    rowsMax: logLimit(limit, asCsv),
    bytesMax: asCsv ? LIMITS.pages.csvBytesMax : LIMITS.pages.pageBytesMax,
  }
  const { head, bytes } =
    logWeight(request) === 'export'
      ? await deps.documents.make(log.maker, input, turnOf(context))
      : await log.maker.make(await deps.reading(), input)
  const next = head === undefined ? null : deps.cursors.make(key, head)
  linkNext(request, reply, deps.baseUrl, next)
  reply.header('vary', 'accept')
  if (asCsv) return sendCsv(reply, log.fileName, bytesOf(bytes))
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .send(Buffer.concat([Buffer.from('{"data":['), bytes, Buffer.from(`],"next_cursor":${JSON.stringify(next)}}`)]))
}

/** The turn of a request: it is over when the answer was sent or its connection closed. */
export const turnOf = ({ caller, reply }: { caller: Pick<Turn, 'organisationId'>; reply: FastifyReply }): Turn => ({
  organisationId: caller.organisationId,
  whenSent: (done) => void finished(reply.raw, (error) => done(!error)),
})

/** Browsers show a PDF by a viewer of their own, which must be able to load itself. */
export const sendPdf = (reply: FastifyReply, name: string, bytes: Uint8Array<ArrayBuffer>): FastifyReply =>
  reply
    .header('content-type', 'application/pdf')
    .header('content-security-policy', "frame-ancestors 'none'")
    .header('content-disposition', `inline; filename="${name}.pdf"`)
    .send(bytesOf(bytes))

/** The bytes for a reply, without a copy. */
export const bytesOf = (bytes: Uint8Array<ArrayBuffer>): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
