import Type from 'typebox'
import { describeRoutes } from '../src/http/openapi-document.ts'
import type { PageOperation } from '../src/http/page-operation.ts'
import type { OpenApiDocument } from './sdk-types.ts'

/** The operations of the console's pages as a separate document: they are not part of the public openapi.json. */
export function pagesDocument(operations: readonly PageOperation[]): OpenApiDocument {
  const routes = operations.map(({ name, query: querystring, body, answer }) => {
    const [method = '', path = ''] = name.split(' ')
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter)
    const params = Type.Object(Object.fromEntries(names.map((parameter) => [parameter, Type.String()])))
    const response = answer ? { 200: { content: { 'application/json': { schema: answer } } } } : { 204: {} }
    const words = { operationId: name, tags: [], summary: '' }
    const given = { ...(querystring && { querystring }), ...(body && { body }) }
    return { method, path, schema: { ...words, params, ...given, response } }
  })
  return JSON.parse(JSON.stringify(describeRoutes(routes))) as OpenApiDocument
}
