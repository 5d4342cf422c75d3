/**
 * Paths and components of the OpenAPI document, generated from the schemas of the routes. A schema, parameter, response
 * or example with an `$id` becomes the component of that name, and so does every header and every parameter of a path.
 */
import type { TSchema } from 'typebox'
import { pascalCase } from './schema.ts'

type Json = Readonly<Record<string, unknown>>

export interface DocumentedRoute {
  readonly method: string
  /** Parameters in braces: `/v1/organisation/keys/{key_id}`. */
  readonly path: string
  readonly schema: DocumentedSchema
}

export interface DocumentedSchema {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security?: readonly object[]
  readonly params?: TSchema
  readonly querystring?: TSchema
  readonly headers?: TSchema
  readonly body?: TSchema
  /** Default `application/json`. */
  readonly bodyType?: string
  /** By name, if a body has several forms; otherwise the first of `body.examples` is shown. */
  readonly bodyExamples?: Json
  readonly response: Readonly<Record<string, unknown>>
}

type Section = 'schemas' | 'responses' | 'parameters' | 'headers' | 'examples'

interface Response {
  readonly $id?: string
  readonly description: string
  readonly headers?: Readonly<Record<string, { readonly type: 'string'; readonly description: string }>>
  readonly content?: Readonly<Record<string, { readonly schema: TSchema; readonly examples?: Record<string, Json> }>>
}

/** Serialise as JSON: undefined fields are not part of it. */
export function describeRoutes(
  routes: readonly DocumentedRoute[],
  sent: readonly DocumentedRoute[] = [],
): {
  paths: Record<string, Json>
  webhooks: Record<string, Json>
  components: Record<Section, Json>
} {
  const components: Record<Section, Record<string, unknown>> = {
    schemas: {},
    responses: {},
    parameters: {},
    headers: {},
    examples: {},
  }

  function component(section: Section, name: string, value: unknown): Json {
    components[section][name] ??= value
    if (JSON.stringify(components[section][name]) !== JSON.stringify(value))
      throw new Error(`two different ${section} are named ${name}`)
    return { $ref: `#/components/${section}/${name}` }
  }

  function schemaOf(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map(schemaOf)
    if (typeof schema !== 'object' || schema === null) return schema
    // Examples belong beside a schema, in the body or parameter it describes.
    const { $id, examples: _, ...rest } = schema as Json
    const copy = mapValues(rest, (value, name) =>
      name === 'properties' ? mapValues(value as Json, schemaOf) : schemaOf(value),
    )
    return typeof $id === 'string' ? component('schemas', $id, copy) : copy
  }

  function parametersOf(where: 'query' | 'path' | 'header', schema: TSchema | undefined): Json[] {
    const { properties = {}, required = [] } = (schema ?? {}) as {
      properties?: Record<string, Json>
      required?: readonly string[]
    }
    return Object.entries(properties).map(([name, { $id, description, examples, ...type }]) => {
      const parameter = {
        name,
        in: where,
        required: required.includes(name) || undefined,
        description,
        schema: schemaOf(type),
        examples: Array.isArray(examples)
          ? Object.fromEntries(examples.map((value) => [String(value), { value }]))
          : undefined,
      }
      const id = where === 'path' ? pascalCase(name) : $id
      return typeof id === 'string' ? component('parameters', id, parameter) : parameter
    })
  }

  const exampleOf = ({ $id, ...example }: Json): Json =>
    typeof $id === 'string' ? component('examples', $id, example) : example

  function responseOf({ $id, description, headers, content }: Response): Json {
    const response = {
      description,
      headers:
        headers &&
        mapValues(headers, ({ type, description }, name) =>
          component('headers', name, { description, schema: { type } }),
        ),
      content:
        content &&
        mapValues(content, ({ schema, examples, ...media }) => ({
          schema: schemaOf(schema),
          ...media,
          examples: examples && mapValues(examples, exampleOf),
        })),
    }
    return $id === undefined ? response : component('responses', $id, response)
  }

  function operationOf(schema: DocumentedSchema): Json {
    const {
      params,
      querystring,
      headers,
      body,
      bodyType = 'application/json',
      bodyExamples,
      response,
      ...words
    } = schema
    const [example] = (body as { examples?: readonly unknown[] } | undefined)?.examples ?? []
    const examples = bodyExamples && mapValues(bodyExamples, (value) => ({ value }))
    const parameters = [
      ...parametersOf('query', querystring),
      ...parametersOf('path', params),
      ...parametersOf('header', headers),
    ]
    return {
      ...words,
      parameters: parameters.length === 0 ? undefined : parameters,
      requestBody: body && { required: true, content: { [bodyType]: { schema: schemaOf(body), example, examples } } },
      responses: mapValues(response, (one) => responseOf(one as Response)),
    }
  }

  function pathsOf(some: readonly DocumentedRoute[]): Record<string, Json> {
    const paths: Record<string, Json> = {}
    for (const { method, path, schema } of some)
      paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(schema) }
    return paths
  }
  const [paths, webhooks] = [pathsOf(routes), pathsOf(sent)]
  return { paths, webhooks, components: mapValues(components, byName) }
}

const byName = (section: Json): Json =>
  Object.fromEntries(Object.entries(section).sort(([one], [other]) => (one < other ? -1 : 1)))

export function mapValues<K extends string, T, U>(record: Readonly<Record<K, T>>, to: (value: T, name: string) => U) {
  return Object.fromEntries(Object.entries<T>(record).map(([name, value]) => [name, to(value, name)])) as Record<K, U>
}
