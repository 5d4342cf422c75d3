import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { ManualClock } from '../../../test/support/clock.ts'
import { allowApplication } from '../../../test/support/consents.ts'
import { describeRules } from '../../../test/support/stores.ts'
import { type Actor, operatorIn } from '../../access/actor.ts'
import { ROLES, type Role } from '../../access/roles.ts'
import type { Scope } from '../../access/scopes.ts'
import { changeIn, type Sql, type Tx } from '../../db/sql.ts'
import { HOUR_MS } from '../../lib/clock.ts'
import { createTokenVerifier, type TokenVerifier } from '../../oauth/verify.ts'
import { readAudit } from '../audit.ts'
import { createClient, deleteClient } from '../clients/clients.ts'
import { addMember, removeMember } from '../members/members.ts'
import { createOrganisation, type Organisation } from '../organisation/organisations.ts'
import { selfIn } from './audit-self.ts'
import { disablePerson, enablePerson, resetPassword } from './changes.ts'
import { consentPlace, consentsOf, listConsents, withdrawConsent, withdrawConsents } from './consents.ts'
import type { ConsentPlace } from './grants.ts'
import { createPerson, type Person } from './people.ts'

describeRules('consents', (open) => {
  let sql: Sql
  let verifier: TokenVerifier
  let acme: Organisation
  let beta: Organisation
  const clock = new ManualClock('2026-03-10T12:00:00Z')
  const change = <T>(work: (tx: Tx) => Promise<T>) => changeIn(sql, clock, work)

  beforeAll(async () => {
    sql = await open()
    verifier = createTokenVerifier({ sql, clock, ttlMs: 0, entriesMax: 1 })
    ;[acme, beta] = await change(async (tx) => [
      await createOrganisation(tx, { name: 'Acme Ltd', awaitingApproval: false }),
      await createOrganisation(tx, { name: 'Beta GmbH', awaitingApproval: false }),
    ])
  })

  const newPerson = (role: Role, organisations: readonly Organisation[] = [acme]): Promise<Person> =>
    change(async (tx) => {
      const email = `${randomUUID()}@company.example`
      const person = await createPerson(tx, { email, emailVerified: true, name: 'Pat', passwordHash: 'none' })
      for (const { id } of organisations) await addMember(tx, operatorIn(id), { personId: person.id, role })
      return person
    })

  const newApplication = async (): Promise<string> => {
    const request = {
      kind: 'web',
      name: 'Ledger Sync',
      scopes: ['openid', 'risk:payment', 'risk:bulk'],
      redirect_uris: ['https://beta.example/callback'],
    }
    return (await change((tx) => createClient(tx, operatorIn(beta.id), request, { production: true }))).client.id
  }

  const allow = (place: ConsentPlace & { role: Role }, scope?: string): Promise<string> =>
    allowApplication(sql, clock, { ...place, ...(scope === undefined ? {} : { scope }) })

  const works = async (token: string) => (await verifier.findNow(token)) !== undefined
  const own = (person: Person, organisationId = acme.id): Actor =>
    selfIn(person, { ip: '192.0.2.1', requestId: 'req_test' })(organisationId)
  const somebodyWith = (role: Role, organisationId = acme.id): Actor => ({
    ...own({ id: 'usr_another' } as Person, organisationId),
    role,
    scopes: new Set<Scope>(ROLES[role].scopes),
  })

  describe('end for good', () => {
    const causes: Record<string, (place: ConsentPlace, person: Person) => Promise<unknown>> = {
      'the person withdraws': (place, person) => change((tx) => withdrawConsent(tx, own(person), place)),
      'an owner withdraws': (place) => change((tx) => withdrawConsent(tx, somebodyWith('owner'), place)),
      'the operator revokes all tokens': (place) =>
        change((tx) => withdrawConsents(tx, operatorIn, place.personId, {})),
      'the operator revokes the tokens of one application': (place) =>
        change((tx) => withdrawConsents(tx, operatorIn, place.personId, { clientId: place.clientId })),
      'the person leaves and joins again': async ({ personId }, person) => {
        await change((tx) => removeMember(tx, own(person), personId))
        await change((tx) => addMember(tx, operatorIn(acme.id), { personId, role: 'developer' }))
      },
      'the person is disabled and enabled again': async ({ personId }) => {
        await change((tx) => disablePerson(tx, personId))
        await change((tx) => enablePerson(tx, personId))
      },
      'the password is reset': ({ personId }) => change((tx) => resetPassword(tx, personId, 'another')),
      'the application is deleted': ({ clientId }) => change((tx) => deleteClient(tx, operatorIn(beta.id), clientId)),
    }
    it.each(Object.keys(causes))('when %s', async (cause) => {
      const person = await newPerson('developer')
      const place = { personId: person.id, clientId: await newApplication(), organisationId: acme.id }
      const tokens = [await allow({ ...place, role: 'developer' }), await allow({ ...place, role: 'developer' })]
      expect(await Promise.all(tokens.map(works))).toEqual([true, true])
      await causes[cause]?.(place, person)
      expect(await Promise.all(tokens.map(works))).toEqual([false, false])
      expect(await consentsOf(sql, person.id, clock.now())).toEqual([])
      // A new consent works, and restores nothing of the old one.
      if (cause === 'the application is deleted') return
      const again = await allow({ ...place, role: 'developer' })
      expect(await Promise.all([...tokens, again].map(works))).toEqual([false, false, true])
    })
  })

  it('withdrawing one leaves what else the person allows, and what others allow the same application', async () => {
    const [person, other] = [await newPerson('developer', [acme, beta]), await newPerson('developer')]
    const [clientId, another] = [await newApplication(), await newApplication()]
    const place = { personId: person.id, clientId, organisationId: acme.id, role: 'developer' as const }
    const ended = await allow(place)
    const kept = [
      await allow({ ...place, clientId: another }),
      await allow({ ...place, organisationId: beta.id }),
      await allow({ ...place, personId: other.id }),
    ]
    await change((tx) => withdrawConsent(tx, own(person), place))
    expect(await works(ended)).toBe(false)
    expect(await Promise.all(kept.map(works))).toEqual([true, true, true])
    await expect(change((tx) => withdrawConsent(tx, own(person), place))).rejects.toMatchObject({ code: 'not_found' })
  })

  it('are withdrawn by others with organisation:write and the scopes of the application, in the organisation charged', async () => {
    const person = await newPerson('developer')
    const place = { personId: person.id, clientId: await newApplication(), organisationId: acme.id }
    const token = await allow({ ...place, role: 'developer' })
    const key = (scopes: Scope[]): Actor => ({
      ...somebodyWith('viewer'),
      kind: 'api_key',
      role: undefined,
      scopes: new Set(scopes),
    })
    for (const [actor, code] of [
      [somebodyWith('developer'), 'forbidden'],
      [somebodyWith('viewer'), 'forbidden'],
      [key(['organisation:write']), 'forbidden'],
      [key(['risk:payment']), 'forbidden'],
      [somebodyWith('owner', beta.id), 'not_found'],
      [own(person, beta.id), 'not_found'],
    ] as const) {
      await expect(change((tx) => withdrawConsent(tx, actor, place))).rejects.toMatchObject({ code })
    }
    expect(await works(token)).toBe(true)
    await change((tx) => withdrawConsent(tx, key(['organisation:write', 'risk:payment']), place))
    expect(await works(token)).toBe(false)
  })

  it('stand in the audit log of the organisation charged, with the member where somebody else withdrew', async () => {
    const person = await newPerson('developer')
    const clientId = await newApplication()
    const place = { personId: person.id, clientId, organisationId: acme.id }
    await allow({ ...place, role: 'developer' })
    await change((tx) => withdrawConsent(tx, own(person), place))
    await allow({ ...place, role: 'developer' })
    await change((tx) => withdrawConsents(tx, operatorIn, person.id, {}))
    const { rows } = await readAudit(sql, { organisationId: acme.id, action: 'grant.withdraw', limit: 100 })
    const detail = { name: 'Ledger Sync', scopes: ['openid', 'risk:payment'] }
    const written = rows
      .filter((row) => row.target_id === clientId)
      .sort((a, b) => (a.actor_kind < b.actor_kind ? -1 : 1))
    expect(written.map((row) => [row.actor_kind, row.detail])).toEqual([
      ['operator', { ...detail, member: 'Pat', member_id: person.id }],
      ['person', detail],
    ])
  })

  it('are listed for an organisation page by page, the command line as part of the server', async () => {
    const own = await change((tx) => createOrganisation(tx, { name: 'Gamma', awaitingApproval: false }))
    const people = [await newPerson('developer', [own]), await newPerson('developer', [own])]
    const clientIds = ['assay-cli', await newApplication()]
    for (const { id: personId } of people) {
      for (const clientId of clientIds) {
        await allow({ personId, clientId, organisationId: own.id, role: 'developer' }, 'openid risk:bulk')
        await allow({ personId, clientId, organisationId: own.id, role: 'developer' })
      }
    }
    const first = await listConsents(sql, own.id, clock.now(), { limit: 3 })
    const second = await listConsents(sql, own.id, clock.now(), { limit: 3, from: first.next })
    expect(second.next).toBeUndefined()
    const all = [...first.rows, ...second.rows]
    expect(all.map(({ id }) => consentPlace(id))).toHaveLength(4)
    expect(new Set(all.map(({ id }) => id)).size).toBe(4)
    for (const consent of all) expect([...consent.scopes].sort()).toEqual(['openid', 'risk:bulk', 'risk:payment'])
    expect(all.filter(({ clientId }) => clientId === 'assay-cli')).toMatchObject([
      { clientName: 'Assay command line', owner: null },
      { clientName: 'Assay command line', owner: null },
    ])
    // Over in time: nothing of it is left.
    expect((await listConsents(sql, own.id, clock.now() + HOUR_MS, { limit: 10 })).rows).toEqual([])
  })

  it('a consent at the moment of its withdrawal is there and ends, or is given afterwards', async () => {
    const person = await newPerson('developer')
    const place = { personId: person.id, clientId: await newApplication(), organisationId: acme.id }
    for (let i = 0; i < 10; i++) {
      const before = await allow({ ...place, role: 'developer' })
      const [given] = await Promise.all([
        allow({ ...place, role: 'developer' }),
        change((tx) => withdrawConsents(tx, operatorIn, person.id, { organisationId: acme.id })),
      ])
      expect(await works(before)).toBe(false)
      const listed = await consentsOf(sql, person.id, clock.now())
      expect(listed).toHaveLength((await works(given)) ? 1 : 0)
      await change((tx) => withdrawConsents(tx, operatorIn, person.id, {}))
    }
  })

  it.each(['', 'usr_a', 'usr_a.cli_b', 'usr_a.cli_b.org_c.more', '..'])('404 for %j, which is no id of one', (id) => {
    expect(() => consentPlace(id)).toThrow('There is no such consent')
  })
})
