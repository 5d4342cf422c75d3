/** Generates the client's copy of server definitions: types from openapi.json, and tables from the code. */

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly description?: string
}

interface Reference {
  readonly $ref: string
}

interface Parameter {
  readonly in: string
  readonly name: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>

interface Operation {
  readonly summary?: string
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: { readonly required?: boolean; readonly content?: Content }
  readonly responses?: Readonly<Record<string, { readonly content?: Content }>>
}

export interface OpenApiDocument {
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>
    readonly parameters?: Readonly<Record<string, Parameter>>
  }
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const PUBLIC = { source: 'openapi.json', name: 'Operations' }

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

export function sdkTypes(document: OpenApiDocument, { source, name } = PUBLIC): string {
  const lines = [`// Written by \`npm run generate\` from ${source}. Changes belong there.`, '']
  // An OAuth library, or the client's own credentials code, gets the tokens.
  const paths = Object.entries(document.paths ?? {}).filter(
    ([path]) => !path.startsWith('/oauth/') && !path.startsWith('/.well-known/'),
  )
  const needed = referencesIn(document, paths)
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
    if (!needed.has(`schemas/${name}`)) continue
    lines.push(...comment(schema.description, ''), `export type ${name} = ${typeOf(schema, '')}`, '')
  }
  lines.push(
    '/** Every operation of the interface: what it takes and what it answers with. */',
    `export interface ${name} {`,
  )
  const parameterOf = (one: Parameter | Reference) =>
    '$ref' in one ? document.components!.parameters![nameIn(one.$ref)]! : one
  for (const [path, item] of paths) {
    for (const method of METHODS) {
      const operation = item[method]
      if (!operation) continue
      const parameters = (operation.parameters ?? []).map(parameterOf)
      lines.push(...operationLines(`${method.toUpperCase()} ${path}`, operation, parameters))
    }
  }
  lines.push('}', '')
  return lines.join('\n')
}

type Row = Readonly<Record<string, string | number | boolean>>

export interface SdkTable {
  readonly name: string
  readonly description: string
  readonly rows: Readonly<Record<string, Row>>
}

export function sdkTables(tables: readonly SdkTable[]): string {
  const lines = ['// Written by `npm run generate` from the tables of the server. Changes belong there.']
  for (const { name, description, rows } of tables) {
    lines.push('', ...comment(description, ''), `export const ${name} = {`)
    for (const [key, row] of Object.entries(rows)) {
      const cells = Object.entries(row).map(([column, value]) => `${propertyName(column)}: ${literal(value)}`)
      lines.push(`  ${propertyName(key)}: { ${cells.join(', ')} },`)
    }
    lines.push('} as const')
  }
  return `${lines.join('\n')}\n`
}

/** Adds the field names in the answer of an operation: path → the names there. */
export function fieldNames(document: OpenApiDocument, path: string, names: Map<string, Set<string>>): void {
  const add = (place: string, name: string, schema: Schema) => {
    names.set(place, (names.get(place) ?? new Set()).add(name))
    walk(place === '' ? name : `${place}.${name}`, schema)
  }
  const walk = (place: string, schema: Schema): void => {
    const { $ref, properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema
    const referred = $ref && document.components?.schemas?.[nameIn($ref)]
    for (const one of [...(referred ? [referred] : []), ...anyOf, ...oneOf, ...allOf]) walk(place, one)
    for (const [name, below] of Object.entries(properties)) add(place, name, below)
    if (items) add(place, '*', items)
  }
  walk('', jsonSchema(document.paths?.[path]?.post?.responses?.['200']?.content) ?? {})
}

function operationLines(name: string, operation: Operation, parameters: readonly Parameter[]): string[] {
  return [
    ...comment(operation.summary, '  '),
    `  '${name}': {`,
    `    path: ${parametersType(parameters.filter((parameter) => parameter.in === 'path'))}`,
    `    query: ${parametersType(parameters.filter((parameter) => parameter.in === 'query'))}`,
    `    body: ${bodyType(operation)}`,
    `    response: ${responseType(operation)}`,
    '  }',
  ]
}

function parametersType(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return 'Record<never, never>'
  return typeOf(
    {
      type: 'object',
      required: parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name),
      properties: Object.fromEntries(
        parameters.map(({ name, schema = {}, description }) => [
          name,
          description ? { ...schema, description } : schema,
        ]),
      ),
    },
    '    ',
  )
}

function bodyType({ requestBody }: Operation): string {
  const schema = jsonSchema(requestBody?.content)
  if (!schema) return 'undefined'
  return requestBody?.required ? typeOf(schema, '    ') : `${typeOf(schema, '    ')} | undefined`
}

/** The types of all successful answers; an answer without JSON gives undefined. */
function responseType({ responses = {} }: Operation): string {
  const types = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => {
      const schema = jsonSchema(content)
      return schema ? typeOf(schema, '    ') : 'undefined'
    })
  return [...new Set(types)].join(' | ') || 'undefined'
}

function jsonSchema(content: Content | undefined): Schema | undefined {
  return content?.['application/json']?.schema
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref) return nameIn(schema.$ref)
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.map((choice) => grouped(typeOf(choice, indent))).join(' | ')
  if (schema.allOf) return schema.allOf.map((part) => grouped(typeOf(part, indent))).join(' & ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(' | ')
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `readonly ${grouped(typeOf(schema.items ?? {}, indent))}[]`
    case 'object':
      return objectType(schema, indent)
    default:
      return 'unknown'
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
  const names = Object.entries(properties)
  if (names.length === 0) {
    const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown'
    return additionalProperties === false ? 'Record<never, never>' : `Readonly<Record<string, ${values}>>`
  }
  const inner = `${indent}  `
  const lines = names.flatMap(([name, schema]) => [
    ...comment(schema.description, inner),
    `${inner}readonly ${propertyName(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema, inner)}`,
  ])
  return ['{', ...lines, `${indent}}`].join('\n')
}

function grouped(type: string): string {
  return / [|&] /.test(type) && !type.startsWith('{') ? `(${type})` : type
}

/** The components that a part of the document refers to, directly or indirectly, such as `schemas/Invoice`. */
function referencesIn(document: OpenApiDocument, part: unknown, found = new Set<string>()): Set<string> {
  const components = document.components as Record<string, Record<string, unknown>> | undefined
  for (const [, section = '', name = ''] of JSON.stringify(part).matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)) {
    if (found.has(`${section}/${name}`)) continue
    found.add(`${section}/${name}`)
    referencesIn(document, components?.[section]?.[name], found)
  }
  return found
}

/** `#/components/schemas/Invoice` → `Invoice`. */
function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

function literal(value: unknown): string {
  return typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    : JSON.stringify(value)
}

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)
}

function comment(text: string | undefined, indent: string): string[] {
  return text ? [`${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */`] : []
}
