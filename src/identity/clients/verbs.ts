import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import type { Sql } from '../db/sql.ts'
import {
  CLIENT_KIND_NAMES,
  type Client,
  type ClientKind,
  clientProblems,
  createClient,
  deleteClient,
  findClient,
  listClients,
  rotateClientSecret,
  scopesOfKind,
  setClientState,
} from '../identity/clients.ts'
import { announceClientChange } from '../oauth/announce.ts'
import { dateText, isoOrNull, type OperatorContext, OperatorError, print, table, verb, withStore } from './context.ts'
import { requireOrganisation } from './org.ts'

export function registerClient(program: Command, context: OperatorContext): void {
  const client = program.command('client').description('applications that get tokens by OAuth')

  verb(client, 'create', 'register an application; a secret is shown this once')
    .requiredOption('--org <id>', 'organisation that owns it')
    .requiredOption('--kind <kind>', CLIENT_KIND_NAMES.join(', '))
    .requiredOption('--name <name>', 'its name, as people see it when they consent')
    .requiredOption('--scope <scopes>', 'all it may ever ask for, separated by blanks')
    .option('--redirect-uri <uri>', 'where people are sent back to; may be repeated', collect, [])
    .option('--logout-uri <uri>', 'where people are sent after signing out; may be repeated', collect, [])
    .option('--jwks <file>', 'public JSON Web Key Set: authenticates by its own key instead of a secret')
    .action(async (options: CreateOptions) => {
      const request = {
        kind: options.kind,
        name: options.name,
        scope: options.scope,
        redirectUris: options.redirectUri,
        logoutUris: options.logoutUri,
        ...(options.jwks === undefined ? {} : { jwks: readKeySet(options.jwks) }),
      }
      const problems = clientProblems(request, { production: context.config().production })
      if (problems.length > 0) {
        const kind = CLIENT_KIND_NAMES.find((name) => name === options.kind)
        const hint = kind && problems.some((one) => one.startsWith('scope')) ? [scopeHint(kind)] : []
        throw new OperatorError([...problems.map((problem) => `--${problem}.`), ...hint].join('\n'))
      }
      await withStore(context, async ({ sql }) => {
        await requireOrganisation(sql, options.org)
        const made = await createClient(sql, { organisationId: options.org, request, nowMs: context.clock.now() })
        const secret = made.secret === undefined ? {} : { client_secret: made.secret }
        print(context, options.json, { ...view(made.client), ...secret }, () =>
          [
            `Client ${made.client.id} (${made.client.kind}).`,
            made.secret === undefined
              ? 'It has no secret: it is public, or proves itself with its own key.'
              : `Secret, shown this once: ${made.secret}`,
          ].join('\n'),
        )
      })
    })

  verb(client, 'list', 'show applications')
    .option('--org <id>', 'only those of one organisation')
    .action(async (options: { org?: string; json?: boolean }) => {
      await withStore(context, async ({ sql }) => {
        if (options.org !== undefined) await requireOrganisation(sql, options.org)
        const clients = await listClients(sql, options.org)
        print(context, options.json, clients.map(view), () =>
          table(
            ['CLIENT', 'ORGANISATION', 'KIND', 'NAME', 'STATE', 'CREATED', 'SCOPES'],
            clients.map((row) => [
              row.id,
              row.organisation_id,
              row.kind,
              row.name,
              row.state,
              dateText(row.created_at),
              row.scopes.join(' '),
            ]),
            'There is no client yet: assayd client create --org ID --kind service --name NAME --scope "risk:payment"',
          ),
        )
      })
    })

  verb(client, 'show', 'show one application')
    .argument('[client]', 'client id')
    .option('--client <id>', 'the same, by name')
    .action(async (argument: string | undefined, options: OneOptions) => {
      const id = clientIdOf(argument, options)
      await withStore(context, async ({ sql }) => {
        const found = await findClient(sql, id)
        if (!found) throw unknownClient(id)
        print(context, options.json, view(found), () =>
          Object.entries(view(found))
            .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(' ') : value}`)
            .join('\n'),
        )
      })
    })

  verb(client, 'rotate-secret', 'give a new secret; the old one stops at once')
    .argument('[client]', 'client id')
    .option('--client <id>', 'the same, by name')
    .action(async (argument: string | undefined, options: OneOptions) => {
      const id = clientIdOf(argument, options)
      await withStore(context, async ({ sql }) => {
        const rotated = await rotateClientSecret(sql, { id, nowMs: context.clock.now() })
        if (!rotated) {
          if (await findClient(sql, id)) {
            throw new OperatorError(`Client ${id} has no secret: it is public, or has a key of its own.`)
          }
          throw unknownClient(id)
        }
        await announceClientChange(sql, id)
        print(
          context,
          options.json,
          { ...view(rotated.client), client_secret: rotated.secret },
          () => `Client ${rotated.client.id}. Secret, shown this once: ${rotated.secret}`,
        )
      })
    })

  for (const [name, state, about] of [
    ['disable', 'disabled', 'stop an application and its tokens'],
    ['enable', 'active', 'let an application work again'],
  ] as const) {
    verb(client, name, about)
      .argument('[client]', 'client id')
      .option('--client <id>', 'the same, by name')
      .action(async (argument: string | undefined, options: OneOptions) => {
        const id = clientIdOf(argument, options)
        await withStore(context, async ({ sql }) => {
          const changed = await setState(sql, id, state, context.clock.now())
          print(context, options.json, view(changed), () => `Client ${changed.id} is ${changed.state}.`)
        })
      })
  }

  verb(client, 'delete', 'remove an application and everything issued to it')
    .argument('[client]', 'client id')
    .option('--client <id>', 'the same, by name')
    .action(async (argument: string | undefined, options: OneOptions) => {
      const id = clientIdOf(argument, options)
      await withStore(context, async ({ sql }) => {
        if (!(await deleteClient(sql, id))) throw unknownClient(id)
        await announceClientChange(sql, id)
        print(context, options.json, { client_id: id, deleted: true }, () => `Client ${id} is gone.`)
      })
    })
}

interface OneOptions {
  readonly client?: string
  readonly json?: boolean
}

function clientIdOf(argument: string | undefined, options: OneOptions): string {
  const id = argument ?? options.client
  if (id === undefined || (argument !== undefined && options.client !== undefined && argument !== options.client)) {
    throw new OperatorError('Name one client: its id, or --client ID.')
  }
  return id
}

interface CreateOptions {
  readonly org: string
  readonly kind: string
  readonly name: string
  readonly scope: string
  readonly redirectUri: string[]
  readonly logoutUri: string[]
  readonly jwks?: string
  readonly json?: boolean
}

async function setState(sql: Sql, id: string, state: Client['state'], nowMs: number): Promise<Client> {
  const changed = await setClientState(sql, { id, state, nowMs })
  if (!changed) throw unknownClient(id)
  await announceClientChange(sql, id)
  return changed
}

const collect = (value: string, before: string[]): string[] => [...before, value]

const unknownClient = (id: string) =>
  new OperatorError(`There is no client ${id}. "assayd client list" shows them all.`)

const scopeHint = (kind: ClientKind) => `Scopes of a ${kind} client: ${scopesOfKind(kind).join(', ')}.`

function readKeySet(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new OperatorError(`--jwks: ${file} cannot be read as JSON (${(error as Error).message}).`)
  }
}

function view(client: Client) {
  return {
    client_id: client.id,
    organisation_id: client.organisation_id,
    kind: client.kind,
    name: client.name,
    scope: client.scopes.join(' '),
    redirect_uris: client.redirect_uris,
    logout_uris: client.logout_uris,
    authentication: client.authentication,
    state: client.state,
    created_at: isoOrNull(client.created_at),
  }
}
