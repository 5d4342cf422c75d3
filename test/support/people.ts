import { operatorIn } from '../../src/access/actor.ts'
import type { Role } from '../../src/access/roles.ts'
import { changeIn, type Sql } from '../../src/db/sql.ts'
import { addMember } from '../../src/identity/members/members.ts'
import { createPerson } from '../../src/identity/people/people.ts'
import { ManualClock } from './clock.ts'
import { PASSWORD, PASSWORD_HASH } from './passwords.ts'
import type { Answer, TestServer } from './server.ts'

export { PASSWORD }

/** A person who is signed in, and sends the requests of the console. */
export interface SignedIn {
  readonly id: string
  readonly email: string
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
}

let people = 0

export async function memberOf(
  server: TestServer,
  sql: Sql,
  input: { readonly organisationId: string; readonly role: Role; readonly nowMs: number },
): Promise<SignedIn> {
  const email = `person${++people}@company.example`
  const person = await changeIn(sql, new ManualClock(input.nowMs), async (tx) => {
    const made = await createPerson(tx, {
      email,
      emailVerified: true,
      name: `Person ${people}`,
      passwordHash: PASSWORD_HASH,
    })
    await addMember(tx, operatorIn(input.organisationId), { personId: made.id, role: input.role })
    return made
  })
  return { id: person.id, email, ...(await signIn(server, email)) }
}

export async function signIn(server: TestServer, email: string): Promise<Pick<SignedIn, 'send'>> {
  const answer = await server.post('/api/session', { email, password: PASSWORD })
  if (answer.status !== 200) throw new Error(`sign-in: ${answer.status} ${answer.text}`)
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const { csrf } = answer.json as { csrf: string }
  return {
    send: (method, path, body, headers = {}) =>
      server.send(path, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        headers: {
          cookie,
          'x-csrf-token': csrf,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
      }),
  }
}
