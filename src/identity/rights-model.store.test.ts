/**
 * Rights against a model of a few lines, under random histories: who may do what, and who can still do anything.
 *
 *  1. What the rules allow is what the model allows, for every actor and every operation.
 *  2. Whoever gives a right has it at that moment. All rights begin with the operator, so nobody ends with a right
 *     that no owner or operator gave.
 *  3. Every credential ever handed out is worth what the model says: nothing after its right was taken, and nothing
 *     again when the person is taken back.
 */

import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clock.ts'
import { runs } from '../../test/support/runs.ts'
import { A_SESSION } from '../../test/support/session.ts'
import { describeRules } from '../../test/support/stores.ts'
import { type Actor, actorOf, operatorIn } from '../access/actor.ts'
import type { Caller } from '../access/caller.ts'
import { ROLE_NAMES, ROLES, type Role } from '../access/roles.ts'
import { KEY_SCOPE_NAMES, RISK_SCOPES, SCOPES, type Scope } from '../access/scopes.ts'
import { changeIn, type Sql, type Tx } from '../db/sql.ts'
import { Problem } from '../errors.ts'
import { HOUR_MS, SECOND_MS } from '../lib/clock.ts'
import { sha256Hex } from '../lib/hashing.ts'
import { ringOf } from '../lib/seal.ts'
import { createRecordAdapter, type RecordStore } from '../oauth/adapter.ts'
import { createPendingRequests, PENDING_BOUNDS } from '../oauth/pending-requests.ts'
import { splitByRole } from '../oauth/policy.ts'
import { createSealer } from '../oauth/seal.ts'
import { createTokenWriter } from '../oauth/token-writer.ts'
import { createTokenVerifier, type TokenVerifier } from '../oauth/verify.ts'
import { changeClient, createClient, deleteClient, rotateClientSecret } from './clients/clients.ts'
import { acceptInvitation, createInvitation, revokeInvitation } from './invitations/invitations.ts'
import { changeKey, createKey, findKeyCaller, revokeKey, rotateKey } from './keys/keys.ts'
import { addMember, changeRole, organisationsOf, removeMember } from './members/members.ts'
import { createOrganisation } from './organisation/organisations.ts'
import { disablePerson, enablePerson, resetPassword } from './people/changes.ts'
import { withdrawConsent, withdrawConsents } from './people/consents.ts'
import { bindGrant } from './people/grants.ts'
import { createPerson, findPersonByEmail, type Person, requirePersonByEmail } from './people/people.ts'
import { findSession, openSession } from './people/sessions.ts'

/** The rules are the same on both engines: PostgreSQL needs fewer. */
const HISTORIES = { sqlite: 60, postgres: 15 }
const TIME_MS_MAX = process.env.HISTORIES ? 3_600_000 : 120_000
const EVERYTHING: ReadonlySet<Scope> = new Set(KEY_SCOPE_NAMES)
const ASKED = 'openid risk:payment risk:bulk'

const FOREVER = { endsAtMs: Number.POSITIVE_INFINITY, lifetimeMs: Number.POSITIVE_INFINITY }

// The model

interface SomePerson {
  readonly id: string
  readonly email: string
  active: boolean
  readonly roles: Map<string, Role>
}
interface SomeKey {
  readonly id: string
  readonly organisationId: string
  /** How long it was made for. */
  readonly lifetimeMs: number
  scopes: readonly Scope[]
  endsAtMs: number
}
interface SomeApp {
  readonly id: string
  readonly organisationId: string
  scopes: readonly Scope[]
  state: 'active' | 'disabled' | 'deleted'
}
type Maker =
  | { kind: 'operator' }
  | { kind: 'person'; person: SomePerson }
  | { kind: 'key'; key: SomeKey }
  | { kind: 'app'; app: SomeApp }
interface SomeInvitation {
  readonly id: string
  readonly secret: string
  readonly organisationId: string
  readonly role: Role
  readonly maker: Maker
  open: boolean
}
/** Something that was handed out, and may be used by whoever holds it for ever after. */
type Credential =
  | { kind: 'operator' }
  | { kind: 'session'; person: SomePerson; secret: string; ended: boolean }
  | { kind: 'key'; key: SomeKey; secret: string }
  | { kind: 'service'; app: SomeApp; secret: string; scopes: readonly Scope[] }
  | {
      kind: 'user'
      person: SomePerson
      organisationId: string
      secret: string
      scopes: readonly Scope[]
      ended: boolean
    }

interface Rights {
  readonly scopes: ReadonlySet<Scope>
  readonly role?: Role | undefined
  readonly operator?: boolean
}

const OPERATOR: Rights = { scopes: EVERYTHING, operator: true }
const isRight = (scope: Scope) => SCOPES[scope].apiKey

/** The rules of access/rights.ts in the model's words. */
const covers = (who: Rights, scopes: readonly Scope[]) =>
  who.operator === true || scopes.filter(isRight).every((scope) => who.scopes.has(scope))
const writes = (who: Rights) => who.operator === true || who.scopes.has('organisation:write')
const keepsKeys = (who: Rights) =>
  writes(who) || who.role === 'developer' || who.role === 'admin' || who.role === 'owner'
const givesRole = (who: Rights, role: Role) =>
  covers(who, ROLES[role].scopes) && (role !== 'owner' || who.operator === true || who.role === 'owner')

class Model {
  readonly people: SomePerson[] = []
  readonly keys: SomeKey[] = []
  readonly apps: SomeApp[] = []
  readonly invitations: SomeInvitation[] = []
  readonly credentials: Credential[] = [{ kind: 'operator' }]

  rightsOf(credential: Credential, organisationId: string, nowMs: number): Rights | undefined {
    switch (credential.kind) {
      case 'operator':
        return OPERATOR
      case 'session':
        return credential.ended ? undefined : this.personIn(credential.person, organisationId)
      case 'key':
        return this.keyRights(credential.key, nowMs)
      case 'service':
        return credential.app.state === 'active'
          ? { scopes: new Set(credential.scopes.filter((scope) => credential.app.scopes.includes(scope))) }
          : undefined
      case 'user': {
        const person = credential.ended ? undefined : this.personIn(credential.person, credential.organisationId)
        return (
          person && {
            scopes: new Set(credential.scopes.filter((scope) => !isRight(scope) || person.scopes.has(scope))),
          }
        )
      }
    }
  }

  keyRights(key: SomeKey, nowMs: number): Rights | undefined {
    return key.endsAtMs > nowMs ? { scopes: new Set(key.scopes) } : undefined
  }

  personIn(person: SomePerson, organisationId: string): Rights | undefined {
    const role = person.roles.get(organisationId)
    return person.active && role ? { scopes: new Set(ROLES[role].scopes), role } : undefined
  }

  makerNow(maker: Maker, organisationId: string, nowMs: number): Rights | undefined {
    if (maker.kind === 'operator') return OPERATOR
    if (maker.kind === 'person') return this.personIn(maker.person, organisationId)
    if (maker.kind === 'key') return this.keyRights(maker.key, nowMs)
    return maker.app.state === 'active' ? { scopes: new Set(maker.app.scopes) } : undefined
  }

  somebody(whom: Step['whom']): SomePerson | undefined {
    const makers = this.invitations.flatMap(({ maker, open }) =>
      open && maker.kind === 'person' ? [maker.person] : [],
    )
    const givers = this.credentials.flatMap((one) => (one.kind === 'user' ? [one.person] : []))
    return (whom === 'who invited' ? makers : whom === 'who consented' ? givers : []).at(-1)
  }

  /** An invitation ends for good with the right of whoever made it. */
  endInvitations(nowMs: number): void {
    for (const one of this.invitations) {
      const maker = this.makerNow(one.maker, one.organisationId, nowMs)
      if (!maker || !writes(maker) || !givesRole(maker, one.role)) one.open = false
    }
  }

  /** All scopes a person lets the application have in an organisation; none when there is no consent. */
  consented(person: SomePerson, organisationId: string): Scope[] {
    return this.credentials.flatMap((one) =>
      one.kind === 'user' && one.person === person && one.organisationId === organisationId && !one.ended
        ? one.scopes
        : [],
    )
  }

  isLastOwner(person: SomePerson, organisationId: string): boolean {
    const owners = this.people.filter((one) => one.active && one.roles.get(organisationId) === 'owner')
    return owners.length === 1 && owners[0] === person
  }

  /** Ends all sessions and consents of a person; or, with an organisation, the consents for it. */
  end(person: SomePerson, organisationId?: string): void {
    for (const one of this.credentials) {
      if (
        one.kind === 'user' &&
        one.person === person &&
        (organisationId ?? one.organisationId) === one.organisationId
      ) {
        one.ended = true
      }
      if (one.kind === 'session' && one.person === person && organisationId === undefined) one.ended = true
    }
  }
}

// Random steps: numbers are taken modulo whatever there is at that moment, -1 is the latest. People who made
// something that is still unused are met more often than by chance: it is theirs to lose.

const place = fc.oneof(fc.nat(99), fc.nat(99), fc.constant(-1))
const actor = fc.oneof(fc.nat(99), fc.nat(99), fc.constant(0))
const whom = fc.constantFrom('anybody' as const, 'who invited' as const, 'who consented' as const)
const scopes = fc.oneof(
  fc.subarray([...KEY_SCOPE_NAMES], { minLength: 1, maxLength: 3 }),
  fc.constant([...RISK_SCOPES]),
  fc.constant<Scope[]>(['organisation:read', 'organisation:write']),
)
const role = fc.constantFrom(...ROLE_NAMES)
const step = fc.record({ by: actor, of: place, whom, organisation: fc.nat(1) }).chain((base) =>
  fc
    .oneof(
      fc.record({
        do: fc.constant('make key' as const),
        scopes: fc.option(scopes, { nil: undefined }),
        short: fc.boolean(),
      }),
      fc.record({ do: fc.constant('change key' as const), scopes }),
      fc.record({ do: fc.constant('rotate key' as const), grace: fc.constantFrom(0, 1) }),
      fc.record({ do: fc.constant('revoke key' as const) }),
      fc.record({ do: fc.constant('make app' as const), scopes }),
      fc.record({ do: fc.constant('change app' as const), scopes }),
      fc.record({
        do: fc.constant('switch app' as const),
        state: fc.constantFrom('active' as const, 'disabled' as const),
      }),
      fc.record({ do: fc.constantFrom('rotate app' as const, 'delete app' as const) }),
      fc.record({ do: fc.constant('invite' as const), role }),
      fc.record({ do: fc.constant('invite' as const), role }),
      fc.record({
        do: fc.constantFrom('accept' as const, 'accept' as const, 'accept' as const, 'withdraw' as const),
      }),
      fc.record({ do: fc.constant('change role' as const), role }),
      fc.record({ do: fc.constant('add' as const), role }),
      fc.record({ do: fc.constantFrom('remove' as const, 'consent' as const) }),
      fc.record({ do: fc.constantFrom('remove' as const, 'leave' as const, 'consent' as const, 'sign in' as const) }),
      fc.record({ do: fc.constantFrom('disable' as const, 'enable' as const, 'reset password' as const) }),
      fc.record({ do: fc.constantFrom('withdraw consent' as const, 'withdraw consent' as const) }),
      fc.record({ do: fc.constant('revoke tokens' as const), everywhere: fc.boolean() }),
    )
    .map((what) => ({ ...base, ...what })),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

describeRules('rights under random histories', (open, engine) => {
  let sql: Sql
  let verifier: TokenVerifier
  let records: RecordStore
  const clock = new ManualClock('2026-03-10T12:00:00Z')

  beforeAll(async () => {
    sql = await open()
    // Nothing is remembered: what counts is what the store says.
    verifier = createTokenVerifier({ sql, clock, ttlMs: 0, entriesMax: 1 })
    const sealer = createSealer(ringOf('a secret of the tests, long enough to be one'))
    records = {
      sql,
      clock,
      sealer,
      pending: createPendingRequests({ sql, clock, sealer, bounds: PENDING_BOUNDS }),
      onRevoked: () => {},
      onReuse: () => {},
      refreshGraceMs: 0,
      insertToken: createTokenWriter(sql),
    }
  })

  /** A history in two organisations of its own. */
  class History {
    readonly model = new Model()
    readonly organisations: string[] = []

    change<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
      return changeIn(sql, clock, work)
    }

    /**
     * One person of every role and a second owner in the first organisation, an owner in the second; all signed in,
     * the developer uses an application, and each organisation has a key that may do everything.
     */
    async begin(): Promise<void> {
      for (const roles of [[...ROLE_NAMES, 'owner' as const], ['owner' as const]]) {
        const { id, members } = await this.change(async (tx) => {
          const { id } = await createOrganisation(tx, { name: 'Example Ltd', awaitingApproval: false })
          const members: [Person, Role][] = []
          for (const role of roles) {
            const person = await this.createPerson(tx)
            await addMember(tx, operatorIn(id), { personId: person.id, role })
            members.push([person, role])
          }
          return { id, members }
        })
        this.organisations.push(id)
        for (const [made, role] of members) {
          const person = this.meet(made)
          person.roles.set(id, role)
          await this.signIn(person)
          if (role === 'developer') await this.consent(person, id, role)
        }
        const made = await this.change((tx) =>
          createKey(tx, operatorIn(id), { name: 'k', scopes: KEY_SCOPE_NAMES, expiresAtMs: null }),
        )
        this.addKey({ id: made.key.id, organisationId: id, scopes: KEY_SCOPE_NAMES, ...FOREVER }, made.secret)
      }
    }

    createPerson(tx: Tx): Promise<Person> {
      const email = `${randomBytes(9).toString('hex')}@company.example`
      return createPerson(tx, { email, emailVerified: true, name: 'Somebody', passwordHash: 'none' })
    }

    meet({ id, email }: Person): SomePerson {
      const person = { id, email, active: true, roles: new Map<string, Role>() }
      this.model.people.push(person)
      return person
    }

    async signIn(person: SomePerson): Promise<void> {
      const [known] = await sql.query<{ email: string }>('select email from person where id = $1', [person.id])
      const signedIn = (await findPersonByEmail(sql, known?.email ?? ''))!
      const { token } = await this.change((tx) => openSession(tx, signedIn, A_SESSION))
      this.model.credentials.push({ kind: 'session', person, secret: token, ended: false })
    }

    async giveToken(clientId: string, personId: string | null, grantId: string | undefined, granted: readonly Scope[]) {
      const secret = randomBytes(33).toString('base64url').slice(0, 43)
      await records.insertToken({
        digest: sha256Hex(secret),
        kind: grantId === undefined ? 'ClientCredentials' : 'AccessToken',
        payload: '{}',
        client_id: clientId,
        person_id: personId,
        grant_digest: grantId === undefined ? null : sha256Hex(grantId),
        scope: granted.join(' '),
        client_tokens_ended_at: null,
        issued_at: clock.now(),
        expires_at: clock.now() + HOUR_MS,
        purge_at: clock.now() + HOUR_MS,
      })
      return secret
    }

    /** The caller behind a credential, found as requests find it. */
    async caller(credential: Credential, organisationId: string): Promise<Caller | undefined> {
      switch (credential.kind) {
        case 'operator':
          return undefined
        case 'session': {
          const found = await findSession(sql, credential.secret, clock.now())
          const own = found && (await organisationsOf(sql, found.person.id)).find(({ id }) => id === organisationId)
          if (!own) return undefined
          const { role, state, state_reason: stateReason } = own
          const granted = new Set<Scope>(ROLES[role].scopes)
          return {
            organisationId,
            credentialId: found.person.id,
            method: 'session',
            proved: true,
            scopes: granted,
            state,
            stateReason,
            expiresAtMs: found.expiresAtMs,
            role,
          }
        }
        case 'key': {
          const caller = await findKeyCaller(sql, credential.secret)
          return caller && caller.expiresAtMs > clock.now() ? caller : undefined
        }
        default:
          return verifier.find(credential.secret)
      }
    }

    /** Rule 3 for one credential; says who acts, when it is worth anything. */
    async look(credential: Credential, organisationId: string): Promise<{ actor: Actor; rights: Rights } | undefined> {
      const rights = this.model.rightsOf(credential, organisationId, clock.now())
      if (credential.kind === 'operator') return { actor: operatorIn(organisationId), rights: OPERATOR }
      const caller = await this.caller(credential, organisationId)
      expect(caller && [...caller.scopes].sort(), credential.kind).toEqual(rights && [...rights.scopes].sort())
      return caller && rights && { actor: actorOf({ caller, ip: '192.0.2.1', id: 'req_test' }), rights }
    }

    /** Rule 1: does it, and says whether it was done. */
    async attempt<T>(allowed: boolean, label: string, work: (tx: Tx) => Promise<T>): Promise<T | undefined> {
      let done: { value: T } | undefined
      try {
        done = { value: await this.change(work) }
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        expect(allowed, `${label} was refused: ${error.detail}`).toBe(false)
        expect(['forbidden', 'conflict', 'not_found']).toContain(error.code)
        return undefined
      }
      expect(allowed, `${label} was allowed`).toBe(true)
      return done.value
    }

    async take(step: Step): Promise<void> {
      clock.advance(SECOND_MS)
      this.model.endInvitations(clock.now())
      await this.act(step)
      this.model.endInvitations(clock.now())
    }

    async act(step: Step): Promise<void> {
      const { model } = this
      const nowMs = clock.now()
      const credential = model.credentials[step.by % model.credentials.length]!
      const organisationId = organisationOf(credential) ?? this.organisations[step.organisation]!
      const who = await this.look(credential, organisationId)
      if (!who) return
      const { actor, rights } = who
      const pick = <T>(list: readonly T[]): T | undefined => list.at(step.of < 0 ? step.of : step.of % list.length)
      const somebody = () => model.somebody(step.whom) ?? pick(model.people)!
      const here = (thing: { organisationId: string }) => thing.organisationId === organisationId
      const label = `${credential.kind} ${rights.role ?? ''}: ${JSON.stringify(step)}`
      // Rule 2: what is given is held by the giver.
      const gives = (given: readonly Scope[]) => expect(covers(rights, given), `${label} gives`).toBe(true)

      switch (step.do) {
        case 'make key': {
          const given = step.scopes ?? RISK_SCOPES.filter((scope) => covers(rights, [scope]))
          const allowed = keepsKeys(rights) && given.length > 0 && covers(rights, given)
          const endsAtMs = step.short ? nowMs + 3 * SECOND_MS : Number.POSITIVE_INFINITY
          const made = await this.attempt(allowed, label, (tx) =>
            createKey(tx, actor, { name: 'k', scopes: step.scopes, expiresAtMs: step.short ? endsAtMs : null }),
          )
          if (!made) return
          gives(made.key.scopes)
          this.addKey(
            { id: made.key.id, organisationId, scopes: given, endsAtMs, lifetimeMs: endsAtMs - nowMs },
            made.secret,
          )
          return
        }
        case 'change key': {
          const key = pick(model.keys)
          if (!key) return
          const allowed =
            here(key) && keepsKeys(rights) && covers(rights, [...key.scopes, ...step.scopes]) && key.endsAtMs > nowMs
          const changed = await this.attempt(allowed, label, (tx) =>
            changeKey(tx, actor, key.id, { scopes: step.scopes }),
          )
          if (!changed) return
          gives(changed.scopes)
          key.scopes = step.scopes
          return
        }
        case 'rotate key': {
          const key = pick(model.keys)
          if (!key) return
          const allowed = here(key) && keepsKeys(rights) && covers(rights, key.scopes) && key.endsAtMs > nowMs
          const made = await this.attempt(allowed, label, (tx) => rotateKey(tx, actor, key.id, step.grace))
          if (!made) return
          gives(made.key.scopes)
          key.endsAtMs = Math.min(key.endsAtMs, nowMs + step.grace * HOUR_MS)
          this.addKey({ ...key, id: made.key.id, endsAtMs: nowMs + key.lifetimeMs }, made.secret)
          return
        }
        case 'revoke key': {
          const key = pick(model.keys)
          if (!key) return
          const allowed = here(key) && keepsKeys(rights) && covers(rights, key.scopes)
          if (await this.attempt(allowed, label, (tx) => revokeKey(tx, actor, key.id)))
            key.endsAtMs = Math.min(key.endsAtMs, nowMs)
          return
        }
        case 'make app': {
          const allowed = keepsKeys(rights) && covers(rights, step.scopes)
          const request = { kind: 'service', name: 'a', scopes: step.scopes }
          const made = await this.attempt(allowed, label, (tx) =>
            createClient(tx, actor, request, { production: true }),
          )
          if (!made) return
          gives(made.client.scopes)
          const app: SomeApp = { id: made.client.id, organisationId, scopes: step.scopes, state: 'active' }
          model.apps.push(app)
          const secret = await this.giveToken(app.id, null, undefined, step.scopes)
          model.credentials.push({ kind: 'service', app, secret, scopes: step.scopes })
          return
        }
        case 'change app':
        case 'switch app':
        case 'rotate app':
        case 'delete app': {
          const app = pick(model.apps)
          if (!app) return
          const wanted =
            step.do === 'change app' ? { scopes: step.scopes } : step.do === 'switch app' ? { state: step.state } : {}
          const involved = [...app.scopes, ...(wanted.scopes ?? [])]
          const allowed = here(app) && app.state !== 'deleted' && keepsKeys(rights) && covers(rights, involved)
          const done = await this.attempt(allowed, label, async (tx) => {
            if (step.do === 'rotate app') await rotateClientSecret(tx, actor, app.id)
            else if (step.do === 'delete app') await deleteClient(tx, actor, app.id)
            else await changeClient(tx, actor, app.id, wanted, { production: true })
            return true
          })
          if (!done) return
          gives(involved)
          app.scopes = wanted.scopes ?? app.scopes
          app.state = step.do === 'delete app' ? 'deleted' : (wanted.state ?? app.state)
          return
        }
        case 'invite': {
          const allowed = writes(rights) && givesRole(rights, step.role)
          const made = await this.attempt(allowed, label, (tx) => createInvitation(tx, actor, { role: step.role }))
          if (!made) return
          const { invitation, secret } = made
          model.invitations.push({
            id: invitation.id,
            secret,
            organisationId,
            role: step.role,
            maker: makerOf(credential),
            open: true,
          })
          return
        }
        case 'withdraw': {
          const invitation = pick(model.invitations)
          if (!invitation) return
          const allowed = here(invitation) && invitation.open && writes(rights) && givesRole(rights, invitation.role)
          const done = await this.attempt(allowed, label, async (tx) => {
            await revokeInvitation(tx, actor, invitation.id)
            return true
          })
          if (done) invitation.open = false
          return
        }
        case 'accept': {
          // By somebody new, or by somebody who is signed in.
          const invitation = pick(model.invitations)
          if (!invitation) return
          const known = credential.kind === 'session' ? credential.person : undefined
          const maker = model.makerNow(invitation.maker, invitation.organisationId, nowMs)
          const makes = maker !== undefined && writes(maker) && givesRole(maker, invitation.role)
          const allowed = invitation.open && makes && !known?.roles.has(invitation.organisationId)
          const joined = await this.attempt(allowed, label, async (tx) => {
            const person = known ? await requirePersonByEmail(tx, known.email) : await this.createPerson(tx)
            await acceptInvitation(tx, invitation.secret, async () => person, {
              ip: '192.0.2.1',
              requestId: 'req_test',
            })
            return person
          })
          if (!joined) return
          expect(covers(maker!, ROLES[invitation.role].scopes), `${label} makes a member`).toBe(true)
          invitation.open = false
          const person = known ?? this.meet(joined)
          person.roles.set(invitation.organisationId, invitation.role)
          if (!known) await this.signIn(person)
          return
        }
        case 'add': {
          const person = somebody()
          const allowed = writes(rights) && givesRole(rights, step.role) && !person.roles.has(organisationId)
          const added = await this.attempt(allowed, label, (tx) =>
            addMember(tx, actor, { personId: person.id, role: step.role }),
          )
          if (!added) return
          gives(ROLES[step.role].scopes)
          person.roles.set(organisationId, step.role)
          return
        }
        case 'change role': {
          const person = somebody()
          const before = person.roles.get(organisationId)
          const stays = step.role === 'owner' || !model.isLastOwner(person, organisationId)
          const allowed =
            before !== undefined && writes(rights) && givesRole(rights, before) && givesRole(rights, step.role) && stays
          const changed = await this.attempt(allowed, label, (tx) =>
            changeRole(tx, actor, { personId: person.id, role: step.role }),
          )
          if (!changed) return
          gives(ROLES[step.role].scopes)
          person.roles.set(organisationId, step.role)
          return
        }
        case 'remove':
        case 'leave': {
          const self = credential.kind === 'session' ? credential.person : undefined
          const person = step.do === 'leave' ? self : somebody()
          if (!person) return
          const before = person.roles.get(organisationId)
          const may = person === self || (before !== undefined && writes(rights) && givesRole(rights, before))
          const allowed = before !== undefined && may && !model.isLastOwner(person, organisationId)
          const done = await this.attempt(allowed, label, async (tx) => {
            await removeMember(tx, actor, person.id)
            return true
          })
          if (!done) return
          person.roles.delete(organisationId)
          model.end(person, organisationId)
          return
        }
        case 'sign in': {
          const person = pick(model.people)!
          if (person.active) await this.signIn(person)
          return
        }
        case 'consent': {
          if (credential.kind !== 'session' || !rights.role) return
          await this.consent(credential.person, organisationId, rights.role)
          return
        }
        case 'withdraw consent': {
          const self = credential.kind === 'session' ? credential.person : undefined
          const person = step.whom === 'anybody' && self ? self : somebody()
          const given = model.consented(person, organisationId)
          const may = person === self || (writes(rights) && covers(rights, given))
          const place = { personId: person.id, clientId: 'assay-cli', organisationId }
          const done = await this.attempt(given.length > 0 && may, label, (tx) => withdrawConsent(tx, actor, place))
          if (!done) return
          expect([...done.scopes].sort()).toEqual([...new Set(given)].sort())
          model.end(person, organisationId)
          return
        }
        case 'revoke tokens': {
          // The operator's verb, as below.
          const person = somebody()
          const of = step.everywhere ? {} : { organisationId }
          await this.attempt(true, label, (tx) => withdrawConsents(tx, operatorIn, person.id, of))
          for (const id of step.everywhere ? this.organisations : [organisationId]) model.end(person, id)
          return
        }
        case 'disable': {
          // These are the operator's verbs, for every actor: nobody else can call them.
          const person = somebody()
          const last = person.active && [...person.roles.keys()].some((id) => model.isLastOwner(person, id))
          if (!(await this.attempt(!last, label, (tx) => disablePerson(tx, person.id)))) return
          if (person.active) model.end(person)
          person.active = false
          return
        }
        case 'enable': {
          const person = somebody()
          if (await this.attempt(true, label, (tx) => enablePerson(tx, person.id))) person.active = true
          return
        }
        case 'reset password': {
          const person = somebody()
          if (await this.attempt(true, label, (tx) => resetPassword(tx, person.id, 'another'))) model.end(person)
          return
        }
      }
    }

    addKey(key: SomeKey, secret: string): void {
      this.model.keys.push(key)
      this.model.credentials.push({ kind: 'key', key, secret })
    }

    /** As the consent page does it, for the application that every organisation knows. */
    async consent(person: SomePerson, organisationId: string, role: Role): Promise<void> {
      const grantId = randomBytes(33).toString('base64url')
      const { allowed } = splitByRole(ASKED, role)
      const payload = { accountId: person.id, clientId: 'assay-cli', openid: { scope: allowed.join(' ') } }
      await createRecordAdapter('Grant', records).upsert(grantId, payload, 3600)
      const grantDigest = sha256Hex(grantId)
      await this.change((tx) =>
        bindGrant(tx, grantDigest, { personId: person.id, organisationId, role, clientId: 'assay-cli' }),
      )
      const secret = await this.giveToken('assay-cli', person.id, grantId, allowed)
      this.model.credentials.push({ kind: 'user', person, organisationId, secret, scopes: allowed, ended: false })
    }

    async lookAtAll(): Promise<void> {
      for (const credential of this.model.credentials) {
        const own = organisationOf(credential)
        for (const id of own === undefined ? this.organisations : [own]) await this.look(credential, id)
      }
    }
  }

  test(
    'nobody gets a right that nobody gave, and nobody keeps one that was taken',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40, size: 'max' }), async (steps) => {
          const history = new History()
          await history.begin()
          for (const one of steps) await history.take(one)
          await history.lookAtAll()
        }),
        // A history that fails is made smaller only for so long: the test shows it instead of running out of time.
        {
          numRuns: Number(process.env.HISTORIES ?? runs(HISTORIES[engine])),
          interruptAfterTimeLimit: TIME_MS_MAX,
          markInterruptAsFailure: true,
        },
      )
    },
    2 * TIME_MS_MAX,
  )
})

function organisationOf(credential: Credential): string | undefined {
  if (credential.kind === 'key') return credential.key.organisationId
  if (credential.kind === 'service') return credential.app.organisationId
  return credential.kind === 'user' ? credential.organisationId : undefined
}

function makerOf(credential: Credential): Maker {
  if (credential.kind === 'session') return { kind: 'person', person: credential.person }
  if (credential.kind === 'key') return { kind: 'key', key: credential.key }
  if (credential.kind === 'service') return { kind: 'app', app: credential.app }
  return { kind: 'operator' }
}
