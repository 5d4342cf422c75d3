import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { type Actor, operatorIn } from '../../access/actor.ts'
import type { Tx } from '../../db/sql.ts'
import { isoOrNull } from '../../lib/time-text.ts'
import { LIMITS } from '../../limits.ts'
import {
  dateText,
  LIST_ROWS_MAX,
  type OperatorContext,
  OperatorError,
  print,
  table,
  verb,
  wholeNumber,
  withStore,
  wordsOf,
} from '../../operator/context.ts'
import { announceClientChange } from '../announce.ts'
import { requireOrganisation } from '../organisation/organisations.ts'
import {
  authenticationOf,
  CLIENT_KIND_NAMES,
  type Client,
  changeClient,
  createClient,
  deleteClient,
  endFormerSecret,
  formerSecretUntil,
  ID_TOKEN_ALGS,
  listClients,
  requireClient,
  rotateClientSecret,
} from './clients.ts'

export function registerClientVerbs(program: Command, context: OperatorContext): void {
  const client = program.command('client').description('applications that get tokens by OAuth')
  const rules = () => ({ production: context.config().production })

  verb(client, 'create', 'register an application; a secret is shown this once')
    .requiredOption('--org <id>', 'organisation that owns it')
    .requiredOption('--kind <kind>', CLIENT_KIND_NAMES.join(', '))
    .requiredOption('--name <name>', 'its name, as people see it when they consent')
    .requiredOption('--scope <scopes>', 'all it may ever ask for, separated by blanks', wordsOf)
    .option('--redirect-uri <uri>', 'where people are sent back to; may be repeated', collect, [])
    .option('--logout-uri <uri>', 'where people are sent after signing out; may be repeated', collect, [])
    .option('--policy-uri <uri>', 'page on what it does with data, linked where people consent')
    .option('--terms-uri <uri>', 'page with its terms, linked there as well')
    .option('--jwks <file>', 'public JSON Web Key Set: authenticates by its own key instead of a secret', readKeySet)
    .option('--jwks-uri <uri>', 'where the server reads these keys, instead of --jwks')
    .option('--id-token-alg <alg>', `what signs its ID tokens: ${ID_TOKEN_ALGS.join(' or ')}`, ID_TOKEN_ALGS[0])
    .action(async (options: CreateOptions) => {
      await withStore(context, async ({ clock, change }) => {
        const { client: made, secret } = await change((tx) =>
          createClient(
            tx,
            operatorIn(options.org),
            {
              kind: options.kind,
              name: options.name,
              scopes: options.scope,
              redirectUris: options.redirectUri,
              logoutUris: options.logoutUri,
              policyUri: options.policyUri,
              termsUri: options.termsUri,
              jwks: options.jwks,
              jwksUri: options.jwksUri,
              idTokenAlg: options.idTokenAlg,
            },
            rules(),
          ),
        )
        print(
          context,
          options.json,
          { ...view(made, clock.now()), ...(secret === null ? {} : { client_secret: secret }) },
          () =>
            [
              `Client ${made.id} (${made.kind}).`,
              secret === null
                ? 'It has no secret: it is public, or proves itself with its own key.'
                : `Secret, shown this once: ${secret}`,
            ].join('\n'),
        )
      })
    })

  verb(client, 'list', 'show applications')
    .option('--org <id>', 'only those of one organisation')
    .action(async (options: { org?: string; json?: boolean }) => {
      await withStore(context, async ({ sql, clock }) => {
        if (options.org !== undefined) await requireOrganisation(sql, options.org)
        const { rows } = await listClients(sql, options.org, { limit: LIST_ROWS_MAX })
        print(
          context,
          options.json,
          rows.map((row) => view(row, clock.now())),
          () =>
            table(
              ['CLIENT', 'ORGANISATION', 'KIND', 'NAME', 'STATE', 'CREATED', 'SCOPES'],
              rows.map((row) => [
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
      await withStore(context, async ({ sql, clock }) => {
        const found = view(await requireClient(sql, { id }), clock.now())
        print(context, options.json, found, () =>
          Object.entries(found)
            .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(' ') : (value ?? '-')}`)
            .join('\n'),
        )
      })
    })

  /** A verb that changes one application and tells the running nodes. */
  function changing<T, More extends object = object>(
    name: string,
    about: string,
    work: (tx: Tx, actor: Actor, id: string, options: More) => Promise<T>,
    shown: (result: T, id: string, nowMs: number) => { value: object; line: string },
  ): Command {
    return verb(client, name, about)
      .argument('[client]', 'client id')
      .option('--client <id>', 'the same, by name')
      .action(async (argument: string | undefined, options: OneOptions & More) => {
        const id = clientIdOf(argument, options)
        await withStore(context, async ({ sql, clock, change }) => {
          const result = await change(async (tx) => {
            const { organisation_id: organisationId } = await requireClient(tx, { id })
            return work(tx, operatorIn(organisationId), id, options)
          })
          await announceClientChange(sql, id)
          const { value, line } = shown(result, id, clock.now())
          print(context, options.json, value, () => line)
        })
      })
  }

  changing(
    'rotate-secret',
    'give a new secret; both work during the grace period',
    (tx, actor, id, options: { graceHours: number }) => rotateClientSecret(tx, actor, id, options.graceHours),
    (rotated, id, nowMs) => {
      const untilMs = formerSecretUntil(rotated.client, nowMs)
      return {
        value: { ...view(rotated.client, nowMs), client_secret: rotated.secret },
        line: [
          `Client ${id}. Secret, shown this once: ${rotated.secret}`,
          untilMs === null
            ? 'The former secret works no more.'
            : `The former secret works until ${dateText(untilMs)} UTC.`,
        ].join('\n'),
      }
    },
  ).option(
    '--grace-hours <n>',
    'how long the former one goes on working; 0: it stops at once',
    wholeNumber('--grace-hours', 0, LIMITS.counts.graceHoursMax),
    LIMITS.counts.graceHoursDefault,
  )
  changing('end-former-secret', 'end the former secret before its time', endFormerSecret, (changed, id, nowMs) => ({
    value: view(changed, nowMs),
    line: `The former secret of client ${id} works no more.`,
  }))
  changing(
    'set-keys',
    'give an application that proves itself by its own key other keys',
    (tx, actor, id, { jwks, jwksUri }: KeyOptions) => {
      if ((jwks === undefined) === (jwksUri === undefined)) {
        throw new OperatorError('Give the keys, by --jwks FILE or by --jwks-uri URI.')
      }
      return changeClient(tx, actor, id, { jwks, jwksUri }, rules())
    },
    (changed, id, nowMs) => ({
      value: view(changed, nowMs),
      line: `Client ${id} proves itself by ${changed.jwks_uri === null ? `${changed.jwks?.keys.length} keys of its own` : `the keys at ${changed.jwks_uri}`}.`,
    }),
  )
    .option('--jwks <file>', 'public JSON Web Key Set', readKeySet)
    .option('--jwks-uri <uri>', 'where the server reads these keys')
  verb(client, 'set-links', 'set the pages linked where people consent; an empty text takes one away')
    .requiredOption('--client <id>', 'client id')
    .option('--policy-uri <uri>', 'page on what it does with data')
    .option('--terms-uri <uri>', 'page with its terms')
    .action(async (options: { client: string; policyUri?: string; termsUri?: string; json?: boolean }) => {
      if (options.policyUri === undefined && options.termsUri === undefined) {
        throw new OperatorError('Give --policy-uri, --terms-uri or both.')
      }
      await withStore(context, async ({ sql, clock, change }) => {
        const changed = await change(async (tx) => {
          const { organisation_id: organisationId } = await requireClient(tx, { id: options.client })
          const wanted = { policyUri: linkOf(options.policyUri), termsUri: linkOf(options.termsUri) }
          return changeClient(tx, operatorIn(organisationId), options.client, wanted, rules())
        })
        await announceClientChange(sql, changed.id)
        print(context, options.json, view(changed, clock.now()), () =>
          [`Policy: ${changed.policy_uri ?? 'none'}`, `Terms: ${changed.terms_uri ?? 'none'}`].join('\n'),
        )
      })
    })
  for (const [name, state, about] of [
    ['disable', 'disabled', 'stop an application and its tokens'],
    ['enable', 'active', 'let an application work again'],
  ] as const) {
    changing(
      name,
      about,
      (tx, actor, id) => changeClient(tx, actor, id, { state }, rules()),
      (changed, id, nowMs) => ({ value: view(changed, nowMs), line: `Client ${id} is ${changed.state}.` }),
    )
  }
  changing('delete', 'remove an application and everything issued to it', deleteClient, (_, id) => ({
    value: { client_id: id, deleted: true },
    line: `Client ${id} is gone.`,
  }))
}

interface OneOptions {
  readonly client?: string
  readonly json?: boolean
}

interface CreateOptions {
  readonly org: string
  readonly kind: string
  readonly name: string
  readonly scope: string[]
  readonly redirectUri: string[]
  readonly logoutUri: string[]
  readonly policyUri?: string
  readonly termsUri?: string
  readonly jwks?: unknown
  readonly jwksUri?: string
  readonly idTokenAlg: string
  readonly json?: boolean
}

interface KeyOptions {
  readonly jwks?: unknown
  readonly jwksUri?: string
}

function clientIdOf(argument: string | undefined, options: OneOptions): string {
  const id = argument ?? options.client
  if (id === undefined || (argument !== undefined && options.client !== undefined && argument !== options.client)) {
    throw new OperatorError('Name one client: its id, or --client ID.')
  }
  return id
}

const linkOf = (given: string | undefined) => (given === '' ? null : given)

const collect = (value: string, before: string[]): string[] => [...before, value]

function readKeySet(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new OperatorError(`--jwks: ${file} cannot be read as JSON (${(error as Error).message}).`)
  }
}

function view(client: Client, nowMs: number) {
  return {
    client_id: client.id,
    organisation_id: client.organisation_id,
    kind: client.kind,
    name: client.name,
    scope: client.scopes.join(' '),
    redirect_uris: client.redirect_uris,
    logout_uris: client.logout_uris,
    policy_uri: client.policy_uri,
    terms_uri: client.terms_uri,
    authentication: authenticationOf(client),
    jwks_uri: client.jwks_uri,
    former_secret_expires_at: isoOrNull(formerSecretUntil(client, nowMs)),
    id_token_signed_response_alg: client.id_token_alg,
    state: client.state,
    created_at: isoOrNull(client.created_at),
  }
}
