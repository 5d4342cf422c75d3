import type { PageOperation } from '../src/http/page-operation.ts'
import type { OpenApiDocument, Schema } from './sdk-types.ts'

type Json = { readonly [name: string]: unknown }

/** The operations of the console's pages as a separate document: they are not part of the public openapi.json. */
export function pagesDocument(operations: readonly PageOperation[]): OpenApiDocument {
  const schemas: Record<string, Schema> = {}

  /** A schema with an id becomes a component of that name. */
  function named(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map(named)
    if (typeof schema !== 'object' || schema === null) return schema
    const { $id, ...fields } = schema as Json
    const described = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, named(value)]))
    if (typeof $id !== 'string') return described
    schemas[$id] = described
    return { $ref: `#/components/schemas/${$id}` }
  }
  const plain = (schema: object): Schema => named(JSON.parse(JSON.stringify(schema))) as Schema
  const json = (schema: object) => ({ content: { 'application/json': { schema: plain(schema) } } })

  const paths: Record<string, Record<string, object>> = {}
  for (const { name, query, body, answer } of operations) {
    const [method = '', path = ''] = name.split(' ')
    const { properties = {}, required = [] } = query ? plain(query) : {}
    paths[path] ??= {}
    paths[path][method.toLowerCase()] = {
      parameters: [
        ...[...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => ({
          in: 'path',
          name: parameter,
          required: true,
          schema: { type: 'string' },
        })),
        ...Object.entries(properties).map(([parameter, schema]) => ({
          in: 'query',
          name: parameter,
          required: required.includes(parameter),
          schema,
        })),
      ],
      ...(body ? { requestBody: { required: true, ...json(body) } } : {}),
      responses: answer ? { 200: json(answer) } : { 204: {} },
    }
  }
  return { paths, components: { schemas } } as OpenApiDocument
}
