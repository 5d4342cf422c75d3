import type { Command } from 'commander'
import { type Actor, operatorIn } from '../../access/actor.ts'
import type { Tx } from '../../db/sql.ts'
import { isoOrNull, shown } from '../../lib/clock.ts'
import { LIMITS } from '../../limits.ts'
import { type VerbContext, VerbError } from '../../verb/context.ts'
import { dateText, fieldLines, listAnswer } from '../../verb/output.ts'
import { type Store, withStore } from '../../verb/store.ts'
import {
  flag,
  LIST_ROWS_MAX,
  optional,
  readJsonFile,
  repeated,
  required,
  type Values,
  verbsOf,
  wholeNumber,
  withDefault,
  wordsOf,
} from '../../verb/verb.ts'
import { announceClientChange } from '../announce.ts'
import { requireOrganisation } from '../organisation/organisations.ts'
import {
  authenticationOf,
  type Client,
  changeClient,
  createClient,
  deleteClient,
  editable,
  endFormerSecret,
  formerSecretUntil,
  listClients,
  requireClient,
  rotateClientSecret,
} from './clients.ts'
import { CLIENT_KIND_NAMES, ID_TOKEN_ALGS } from './registration.ts'

const ONE = {
  argument: optional('[client]', 'client id'),
  named: optional('--client <id>', 'the same as the argument'),
}

export function registerClientVerbs(program: Command, context: VerbContext): void {
  const client = program.command('client').description('applications that get tokens by OAuth')
  const add = verbsOf(client, context, withStore)
  const rules = () => ({ production: context.config().production })

  add('create', 'register an application; a secret is shown only once', {
    org: required('--org <id>', 'organisation that owns it'),
    kind: required('--kind <kind>', CLIENT_KIND_NAMES.join(', ')),
    name: required('--name <name>', 'name on the consent page'),
    scopes: required('--scope <scopes>', 'every scope that it may request, separated by blanks', wordsOf),
    redirect_uris: repeated('--redirect-uri <uri>', 'redirect address; may be repeated'),
    logout_uris: repeated('--logout-uri <uri>', 'redirect address after signing out; may be repeated'),
    policy_uri: optional('--policy-uri <uri>', 'privacy policy, linked on the consent page'),
    terms_uri: optional('--terms-uri <uri>', 'terms of service, linked on the consent page'),
    jwks: optional('--jwks <file>', 'public JSON Web Key Set, used instead of a secret', readKeySet),
    jwks_uri: optional('--jwks-uri <uri>', 'address of the key set, instead of --jwks'),
    id_token_signed_response_alg: withDefault(
      '--id-token-alg <alg>',
      `signature algorithm of its ID tokens: ${ID_TOKEN_ALGS.join(' or ')}`,
      ID_TOKEN_ALGS[0],
    ),
  }).runs(async ({ clock, change }, { org, json: _, ...wanted }) => {
    const made = await change((tx) => createClient(tx, operatorIn(org), wanted, rules()))
    const { id, kind } = made.client
    return {
      value: { ...view(made.client, clock.now()), ...(made.secret === null ? {} : { client_secret: made.secret }) },
      text: [
        `Client ${id} (${kind}).`,
        made.secret === null
          ? 'It has no secret: it is public, or authenticates with its own key.'
          : `Secret, shown only once: ${made.secret}`,
      ],
    }
  })

  add('list', 'show applications', { org: optional('--org <id>', 'only those of one organisation') }).runs(
    async ({ sql, clock }, { org }) => {
      if (org !== undefined) await requireOrganisation(sql, org)
      const { rows } = await listClients(sql, org, { limit: LIST_ROWS_MAX })
      const none =
        'There is no client yet: assayd client create --org ID --kind service --name NAME --scope "risk:payment"'
      return listAnswer(rows, (row) => view(row, clock.now()), none, {
        CLIENT: (row) => row.id,
        ORGANISATION: (row) => row.organisation_id,
        KIND: (row) => row.kind,
        NAME: (row) => row.name,
        STATE: (row) => row.state,
        CREATED: (row) => dateText(row.created_at),
        'LAST USED': (row) => dateText(row.last_used_at),
        SCOPES: (row) => row.scopes.join(' '),
      })
    },
  )

  add('show', 'show one application', ONE).runs(async ({ sql, clock }, given) => {
    const found = view(await requireClient(sql, { id: clientIdOf(given) }), clock.now())
    return { value: found, text: fieldLines(found) }
  })

  add('rotate-secret', 'create a new secret; both are valid during the grace period', {
    ...ONE,
    hours: optional(
      '--grace-hours <n>',
      `hours the former secret stays valid (default: ${LIMITS.counts.graceHoursDefault}); 0: it ends immediately`,
      wholeNumber('--grace-hours', 0, LIMITS.counts.graceHoursMax),
    ),
    endTokens: flag(
      '--end-tokens',
      'after a leak: end the former secret and every token of the application immediately',
    ),
  }).runs(async (store, { hours, endTokens, ...given }) => {
    const { client, secret } = await changeOne(store, given, (tx, actor, id) =>
      rotateClientSecret(tx, actor, id, hours, { endTokens }),
    )
    const untilMs = formerSecretUntil(client, store.clock.now())
    return {
      value: { ...view(client, store.clock.now()), client_secret: secret },
      text: [
        `Client ${client.id}. Secret, shown only once: ${secret}`,
        untilMs === null
          ? 'The former secret is no longer valid.'
          : `The former secret is valid until ${dateText(untilMs)} UTC.`,
        ...(endTokens ? ['All its access and refresh tokens have ended.'] : []),
      ],
    }
  })

  add('end-former-secret', 'end the former secret now', ONE).runs(async (store, given) => {
    const changed = await changeOne(store, given, endFormerSecret)
    return {
      value: view(changed, store.clock.now()),
      text: `The former secret of client ${changed.id} is no longer valid.`,
    }
  })

  add('set-keys', 'replace the public keys of an application', {
    ...ONE,
    jwks: optional('--jwks <file>', 'public JSON Web Key Set', readKeySet),
    jwks_uri: optional('--jwks-uri <uri>', 'address of the key set'),
  }).runs(async (store, { jwks, jwks_uri, ...given }) => {
    if ((jwks === undefined) === (jwks_uri === undefined)) {
      throw new VerbError('Give the keys with --jwks FILE or --jwks-uri URI.')
    }
    const changed = await changeOne(store, given, (tx, actor, id) =>
      changeClient(tx, actor, id, { jwks, jwks_uri }, rules()),
    )
    const keys =
      changed.jwks_uri === null ? `${changed.jwks?.keys.length} public keys` : `the keys at ${changed.jwks_uri}`
    return { value: view(changed, store.clock.now()), text: `Client ${changed.id} authenticates with ${keys}.` }
  })

  add('set-links', 'set the pages linked on the consent page; an empty text removes one', {
    ...ONE,
    policy_uri: optional('--policy-uri <uri>', 'privacy policy'),
    terms_uri: optional('--terms-uri <uri>', 'terms of service'),
  }).runs(async (store, { policy_uri, terms_uri, ...given }) => {
    if (policy_uri === undefined && terms_uri === undefined) {
      throw new VerbError('Give --policy-uri, --terms-uri or both.')
    }
    const links = { policy_uri: linkOf(policy_uri), terms_uri: linkOf(terms_uri) }
    const changed = await changeOne(store, given, (tx, actor, id) => changeClient(tx, actor, id, links, rules()))
    return {
      value: view(changed, store.clock.now()),
      text: [`Policy: ${changed.policy_uri ?? 'none'}`, `Terms: ${changed.terms_uri ?? 'none'}`],
    }
  })

  for (const [name, state, about] of [
    ['disable', 'disabled', 'disable an application and its tokens'],
    ['enable', 'active', 'enable an application again'],
  ] as const) {
    add(name, about, ONE).runs(async (store, given) => {
      const changed = await changeOne(store, given, (tx, actor, id) => changeClient(tx, actor, id, { state }, rules()))
      return { value: view(changed, store.clock.now()), text: `Client ${changed.id} is ${changed.state}.` }
    })
  }

  add('delete', 'delete an application and everything issued to it', ONE).runs(async (store, given) => {
    await changeOne(store, given, deleteClient)
    const id = clientIdOf(given)
    return { value: { client_id: id, deleted: true }, text: `Client ${id} is deleted.` }
  })
}

/** Changes one application in one transaction and notifies the running nodes. */
async function changeOne<T>(
  { sql, change }: Store,
  given: Values<typeof ONE>,
  work: (tx: Tx, actor: Actor, id: string) => Promise<T>,
): Promise<T> {
  const id = clientIdOf(given)
  const result = await change(async (tx) => {
    const { organisation_id: organisationId } = await requireClient(tx, { id })
    return work(tx, operatorIn(organisationId), id)
  })
  await announceClientChange(sql, id)
  return result
}

function clientIdOf({ argument, named }: Values<typeof ONE>): string {
  const id = argument ?? named
  if (id === undefined || (argument !== undefined && named !== undefined && argument !== named)) {
    throw new VerbError('Name one client: its id, or --client ID.')
  }
  return id
}

const readKeySet = (file: string) => readJsonFile(file, '--jwks')

const linkOf = (given: string | undefined) => (given === '' ? null : given)

function view(client: Client, nowMs: number) {
  const { jwks: _, scopes, ...fields } = editable(client)
  return {
    client_id: client.id,
    ...shown(client, 'organisation_id', 'kind', 'created_at', 'last_used_at'),
    ...fields,
    scope: scopes.join(' '),
    authentication: authenticationOf(client),
    former_secret_expires_at: isoOrNull(formerSecretUntil(client, nowMs)),
  }
}
