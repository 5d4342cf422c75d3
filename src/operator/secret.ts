import { existsSync, rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Command } from 'commander'
import { operatorIn } from '../access/actor.ts'
import { SIGNED_ANCHORS } from '../billing/ledger/anchors.ts'
import { SIGNED_ARCHIVES } from '../billing/ledger/archives.ts'
import type { Config } from '../config.ts'
import { type Pass, resealAll, type SealedColumn } from '../db/reseal.ts'
import {
  beginReplacing,
  endReplacing,
  type FollowedRing,
  newestSealsAt,
  readSecrets,
  SETTLED_AFTER_MS,
  sealWithNewest,
  secretIdOf,
} from '../db/ring.ts'
import { changeIn, type Sql } from '../db/sql.ts'
import { SEALED_ANSWERS } from '../db/stored-response.ts'
import { audit } from '../identity/audit.ts'
import { SEALED_CODE_GENERATORS } from '../identity/people/factors/code-generator.ts'
import { iso } from '../lib/clock.ts'
import { SEALED_WEBHOOK_SECRETS } from '../notify/webhooks.ts'
import { SEALED_RECORDS } from '../oauth/adapter.ts'
import { SEALED_SIGNING_KEYS } from '../oauth/keys.ts'
import { SEALED_MESSAGES } from '../outbox/outbox.ts'
import { SEALED_ACCOUNT_KEYS } from '../own/accounts/digest.ts'
import { SEALED_RECEIPT_KEYS } from '../record/receipt-keys.ts'
import { SEALED_DECISIONS, SEALED_FEEDBACK } from '../record/remarks.ts'
import { SEALED_CHECKS, SEALED_HISTORY_KEYS, SEALED_LISTS } from '../record/sealed.ts'
import { type VerbContext, VerbError } from '../verb/context.ts'
import { type Store, withStore } from '../verb/store.ts'
import { type Answer, flag, verbsOf } from '../verb/verb.ts'
import { loadSecret, openRingWith } from './ring.ts'
import { makeSecret, readSecret, replaceSecret, secretFiles } from './secret-file.ts'

/** All sealed or signed columns: rotation seals and signs them again with the new key. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  SEALED_SIGNING_KEYS,
  SEALED_RECORDS,
  SEALED_CODE_GENERATORS,
  SEALED_ANSWERS,
  SIGNED_ANCHORS,
  SIGNED_ARCHIVES,
  SEALED_MESSAGES,
  SEALED_ACCOUNT_KEYS,
  SEALED_HISTORY_KEYS,
  SEALED_CHECKS,
  SEALED_LISTS,
  SEALED_DECISIONS,
  SEALED_FEEDBACK,
  SEALED_RECEIPT_KEYS,
  SEALED_WEBHOOK_SECRETS,
]

const WAIT_MS = 250
const PROGRESS_ROWS = 5000

export function registerSecretVerbs(program: Command, context: VerbContext): void {
  const secret = program.command('secret').description('the secret that encrypts all sealed data')
  const add = verbsOf(secret, context, withStore)
  add('show', 'show the name of the configured secret, and of the secret that seals the database', {}).runs(({ sql }) =>
    show(context.config(), sql),
  )
  add('rotate', 'replace the secret while the server runs: docs/secret.md', {
    done: flag('--finish', 'every node has the new secret: remove the former one'),
  }).runs(async (store, { done, json }) => {
    // Progress is for people; a program gets one JSON document at the end.
    const tell = (line: string) => {
      if (!json) context.write(`${line}\n`)
    }
    const answer = await store.sql.tryLock('secret', () => (done ? finish : rotate)(context.config(), store, tell))
    if (!answer) throw new VerbError('The secret is being rotated by another process. Wait until it is done.')
    return answer
  })
}

async function show(config: Config, sql: Sql): Promise<Answer> {
  const name = secretIdOf(await loadSecret(config, sql))
  const secrets = await readSecrets(sql)
  const opens = secrets.length === 0 || secrets.some(({ id }) => id === name)
  const rotating = secrets.length > 1
  const sealedUnder = secrets.map(({ id, sinceMs }) => ({ secret: id, since: iso(sinceMs) }))
  return {
    value: { secret: name, opens, sealed_under: sealedUnder, rotating },
    text: [
      `The configured secret is ${name}.`,
      ...sealedUnder.map((one) => `The database is sealed with ${one.secret}, since ${one.since}.`),
      ...(opens ? [] : ['The configured secret does not open this database.']),
      ...(rotating ? ['The secret is being rotated: both secrets work until `assayd secret rotate --finish`.'] : []),
    ],
  }
}

type Tell = (line: string) => void

async function rotate(config: Config, { sql, clock }: Store, tell: Tell): Promise<Answer> {
  const secret = await loadSecret(config, sql)
  const ring = await openRingWith(secret, { sql, clock })
  const asked = config.ASSAY_SECRET_NEW
  if ((await readSecrets(sql)).length === 1) {
    const next = asked ?? nextOf(config)
    if (next === secret) throw new VerbError('ASSAY_SECRET_NEW: is the current secret. Give another one.')
    await beginReplacing({ sql, clock }, { former: secret, next })
    const names = { former: secretIdOf(secret), next: secretIdOf(next) }
    await changeIn(sql, clock, (tx) => audit(tx, operatorIn(''), 'secret.rotate', null, names))
    tell('A new sealing key is created and announced. From now on nodes work with the former and the new secret.')
  } else {
    tell('A rotation is running: continuing with it.')
  }
  const under = await underWay(sql)
  if (asked !== undefined && secretIdOf(asked) !== under.next) {
    throw new VerbError(
      `ASSAY_SECRET_NEW: is ${secretIdOf(asked)}, but a rotation to ${under.next} is running. Finish that one first.`,
    )
  }
  const file = putFile(config, under.next)
  const resealed = await resealUnder(ring, { sql, clock }, tell)
  const steps =
    file === undefined
      ? `set ASSAY_SECRET to the new secret (${under.next}) on every node, and restart them one after the other`
      : `restart the server, which reads the new secret (${under.next}) from ${file}`
  return {
    value: { secret: under.next, former: under.former, resealed, next_step: steps },
    text: [
      'Everything is sealed with the new key. Two steps are left:',
      `  1. ${steps};`,
      `  2. then run, with the new secret: assayd secret rotate --finish`,
      `Keep the former secret (${under.former}) for backups made before today.`,
    ],
  }
}

async function finish(config: Config, { sql, clock }: Store, tell: Tell): Promise<Answer> {
  const secret = await loadSecret(config, sql)
  const ring = await openRingWith(secret, { sql, clock })
  const name = secretIdOf(secret)
  const rotating = (await readSecrets(sql)).length > 1
  let resealed: Record<string, Pass> = {}
  if (rotating) {
    const under = await underWay(sql)
    if (name !== under.next) {
      throw new VerbError(
        `ASSAY_SECRET: is the former secret, ${name}. Set the new one, ${under.next}, here and on every node; then repeat this command.`,
      )
    }
    resealed = await resealUnder(ring, { sql, clock }, tell)
    await endReplacing(sql, secret)
    await changeIn(sql, clock, (tx) => audit(tx, operatorIn(''), 'secret.finish', null, under))
  }
  rmSync(secretFiles(config).former, { force: true })
  const stale = staleFile(config, name)
  return {
    value: { secret: name, resealed, ...(stale ? { delete: stale } : {}) },
    text: [
      `${rotating ? 'The rotation is finished' : 'There is nothing to finish'}: only the secret ${name} opens the database.`,
      ...(stale ? [`${stale} contains a secret that is no longer used: delete it.`] : []),
    ],
  }
}

/** The new secret of an installation whose secret is in a file. */
function nextOf(config: Config): string {
  if (config.ASSAY_SECRET) {
    throw new VerbError(
      'ASSAY_SECRET_NEW: is missing. Create a secret, store it beside ASSAY_SECRET, and run this again with both: ' +
        'ASSAY_SECRET_NEW="$(openssl rand -base64 48)"',
    )
  }
  const { next } = secretFiles(config)
  makeSecret(next)
  return readSecret(next)
}

/** The file of the new secret; undefined if the secret is configured. */
function putFile(config: Config, nextId: string): string | undefined {
  if (config.ASSAY_SECRET) return undefined
  const files = secretFiles(config)
  // A killed run may have left it here.
  if (existsSync(files.next) && secretIdOf(readSecret(files.next)) === nextId) replaceSecret(files)
  return secretIdOf(readSecret(files.secret)) === nextId ? files.secret : undefined
}

function staleFile(config: Config, name: string): string | undefined {
  const { secret } = secretFiles(config)
  return config.ASSAY_SECRET && existsSync(secret) && secretIdOf(readSecret(secret)) !== name ? secret : undefined
}

async function underWay(sql: Sql): Promise<{ former: string; next: string }> {
  const [former, next] = await readSecrets(sql)
  if (!former || !next) throw new Error('no rotation is running')
  return { former: former.id, next: next.id }
}

async function resealUnder(ring: FollowedRing, { sql, clock }: Pick<Store, 'sql' | 'clock'>, tell: Tell) {
  const sealsAtMs = await newestSealsAt(sql, clock.now())
  if (clock.now() < sealsAtMs) tell('Waiting until every node knows the new key.')
  while (clock.now() < sealsAtMs) await delay(WAIT_MS)
  await sealWithNewest(sql)
  const settledAtMs = clock.now() + SETTLED_AFTER_MS
  await ring.readAgain()
  const steps = new Map<string, number>()
  const passes = await resealAll(sql, ring, SEALED_COLUMNS, {
    async settled() {
      if (clock.now() >= settledAtMs) return true
      await delay(WAIT_MS)
      return false
    },
    onProgress(about, resealed) {
      const step = Math.floor(resealed / PROGRESS_ROWS)
      if (step > (steps.get(about) ?? 0)) tell(`${about}: ${resealed} so far`)
      steps.set(about, step)
    },
  })
  for (const [about, { resealed, unreadable }] of Object.entries(passes)) {
    const lost = unreadable === 0 ? '' : `; ${unreadable} could not be opened, as before`
    tell(`${about}: ${resealed} sealed again${lost}`)
  }
  return passes
}
