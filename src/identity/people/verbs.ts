import type { Command } from 'commander'
import { ROLE_NAMES, type Role } from '../../access/roles.ts'
import { type Sql, UniqueViolation } from '../../db/sql.ts'
import { setOperator } from '../../identity/operators.ts'
import { organisationNameProblem } from '../../identity/organisation/organisations.ts'
import { hashPassword, newPassword, passwordProblem } from '../../identity/passwords.ts'
import {
  createPerson,
  findPersonByEmail,
  listPeople,
  membershipsOf,
  normaliseSignInEmail,
  type Person,
  removeMembership,
  setMembership,
  setPassword,
  setPersonState,
  signInEmailProblem,
} from '../../identity/people.ts'
import { announcePersonChange } from '../../oauth/announce.ts'
import { dateText, isoOrNull, type OperatorContext, OperatorError, print, table, verb, withStore } from './context.ts'
import { requireOrganisation } from './org.ts'

const PASSWORD_BYTES_MAX = 4096

export function registerUser(program: Command, context: OperatorContext): void {
  const user = program.command('user').description('people who sign in')

  verb(user, 'create', 'add a person; without --password-stdin a password is made and shown this once')
    .requiredOption('--email <email>', 'what they sign in with')
    .requiredOption('--name <name>', 'their name')
    .requiredOption('--org <id>', 'organisation they belong to')
    .option('--role <role>', ROLE_NAMES.join(', '), 'developer')
    .option('--email-verified', 'you know that the address is theirs')
    .option('--password-stdin', 'read the password from standard input')
    .action(async (options: CreateOptions) => {
      const wrong = signInEmailProblem(options.email)
      if (wrong) throw new OperatorError(`--email: ${JSON.stringify(options.email)} ${wrong}.`)
      const wrongName = organisationNameProblem(options.name)
      if (wrongName) throw new OperatorError(`--name: the name ${wrongName}.`)
      const role = roleOf(options.role)
      await withStore(context, async ({ sql }) => {
        await requireOrganisation(sql, options.org)
        const { password, shown } = await choosePassword(options.passwordStdin)
        const passwordHash = await hashPassword(password)
        const nowMs = context.clock.now()
        const person = await sql
          .transaction(async (tx) => {
            const made = await createPerson(tx, {
              email: options.email,
              emailVerified: options.emailVerified ?? false,
              name: options.name,
              passwordHash,
              nowMs,
            })
            await setMembership(tx, { personId: made.id, organisationId: options.org, role, nowMs })
            return made
          })
          .catch((error: unknown) => {
            if (!(error instanceof UniqueViolation)) throw error
            throw new OperatorError(
              `There is already a person with the address ${normaliseSignInEmail(options.email)}. Add them to the organisation: assayd user join.`,
            )
          })
        print(context, options.json, { ...(await view(sql, person)), ...shown }, () =>
          [
            `User ${person.id} (${person.email}), ${role} of ${options.org}.`,
            ...(shown.password === undefined ? [] : [`Password, shown this once: ${shown.password}`]),
          ].join('\n'),
        )
      })
    })

  verb(user, 'list', 'show people')
    .option('--org <id>', 'only those of one organisation')
    .action(async (options: { org?: string; json?: boolean }) => {
      await withStore(context, async ({ sql }) => {
        if (options.org !== undefined) await requireOrganisation(sql, options.org)
        const people = await listPeople(sql, options.org)
        const views = await Promise.all(people.map((person) => view(sql, person)))
        print(context, options.json, views, () =>
          table(
            ['USER', 'EMAIL', 'NAME', 'STATE', 'CREATED', 'ORGANISATIONS'],
            people.map((row, i) => [
              row.id,
              row.email,
              row.name,
              row.state,
              dateText(row.created_at),
              views[i]?.organisations.map(({ id, role }) => `${id} (${role})`).join(' ') ?? '',
            ]),
            'There is nobody yet: assayd user create --email EMAIL --name NAME --org ID',
          ),
        )
      })
    })

  verb(user, 'reset-password', 'give a new password and end the sessions of the old one')
    .argument('[email]', 'whose')
    .option('--email <email>', 'the same, by name')
    .option('--password-stdin', 'read the password from standard input')
    .action(
      async (argument: string | undefined, options: { email?: string; passwordStdin?: boolean; json?: boolean }) => {
        await withStore(context, async ({ sql }) => {
          const person = await requirePerson(sql, argument ?? options.email ?? '')
          const { password, shown } = await choosePassword(options.passwordStdin)
          await setPassword(sql, {
            personId: person.id,
            passwordHash: await hashPassword(password),
            nowMs: context.clock.now(),
          })
          print(context, options.json, { ...(await view(sql, person)), ...shown }, () =>
            shown.password === undefined
              ? `The password of ${person.email} is changed.`
              : `Password of ${person.email}, shown this once: ${shown.password}`,
          )
        })
      },
    )

  verb(user, 'join', 'add a person to an organisation, or change their role there')
    .requiredOption('--email <email>', 'who')
    .requiredOption('--org <id>', 'organisation')
    .option('--role <role>', ROLE_NAMES.join(', '), 'developer')
    .action(async (options: { email: string; org: string; role: string; json?: boolean }) => {
      const role = roleOf(options.role)
      await withStore(context, async ({ sql }) => {
        await requireOrganisation(sql, options.org)
        const person = await requirePerson(sql, options.email)
        await setMembership(sql, {
          personId: person.id,
          organisationId: options.org,
          role,
          nowMs: context.clock.now(),
        })
        print(context, options.json, await view(sql, person), () => `${person.email} is ${role} of ${options.org}.`)
      })
    })

  verb(user, 'leave', 'take a person out of an organisation; their tokens there stop')
    .requiredOption('--email <email>', 'who')
    .requiredOption('--org <id>', 'organisation')
    .action(async (options: { email: string; org: string; json?: boolean }) => {
      await withStore(context, async ({ sql }) => {
        const person = await requirePerson(sql, options.email)
        if (!(await removeMembership(sql, { personId: person.id, organisationId: options.org }))) {
          throw new OperatorError(`${person.email} does not belong to ${options.org}.`)
        }
        await announcePersonChange(sql)
        print(context, options.json, await view(sql, person), () => `${person.email} has left ${options.org}.`)
      })
    })

  verb(user, 'operator', 'let a person see every organisation in the console; with --off, no longer')
    .requiredOption('--email <email>', 'who')
    .option('--off', 'no longer')
    .action(async (options: { email: string; off?: boolean; json?: boolean }) => {
      await withStore(context, async ({ sql }) => {
        const person = await requirePerson(sql, options.email)
        const on = options.off !== true
        await setOperator(sql, { personId: person.id, on, nowMs: context.clock.now() })
        print(context, options.json, { ...(await view(sql, person)), operator: on }, () =>
          on ? `${person.email} sees every organisation.` : `${person.email} sees their own organisations only.`,
        )
      })
    })

  for (const [name, state, about] of [
    ['disable', 'disabled', 'stop a person from signing in, and their tokens'],
    ['enable', 'active', 'let a person sign in again'],
  ] as const) {
    verb(user, name, about)
      .requiredOption('--email <email>', 'who')
      .action(async (options: { email: string; json?: boolean }) => {
        await withStore(context, async ({ sql }) => {
          const person = await requirePerson(sql, options.email)
          await setPersonState(sql, { personId: person.id, state, nowMs: context.clock.now() })
          await announcePersonChange(sql)
          print(context, options.json, await view(sql, { ...person, state }), () => `${person.email} is ${state}.`)
        })
      })
  }
}

interface CreateOptions {
  readonly email: string
  readonly name: string
  readonly org: string
  readonly role: string
  readonly emailVerified?: boolean
  readonly passwordStdin?: boolean
  readonly json?: boolean
}

function roleOf(text: string): Role {
  const role = ROLE_NAMES.find((name) => name === text)
  if (!role) throw new OperatorError(`--role: must be one of ${ROLE_NAMES.join(', ')}.`)
  return role
}

async function requirePerson(sql: Sql, email: string): Promise<Person> {
  const found = signInEmailProblem(email) ? undefined : await findPersonByEmail(sql, email)
  if (!found)
    throw new OperatorError(
      `There is nobody with the address ${JSON.stringify(email)}. "assayd user list" shows everybody.`,
    )
  return found.person
}

/** From standard input, never from the command line, where other users of the machine could read it. */
async function choosePassword(
  fromStdin: boolean | undefined,
): Promise<{ password: string; shown: { password?: string } }> {
  if (!fromStdin) {
    const password = newPassword()
    return { password, shown: { password } }
  }
  let text = ''
  for await (const chunk of process.stdin) {
    text += chunk
    if (text.length > PASSWORD_BYTES_MAX) throw new OperatorError('--password-stdin: that is too long for a password.')
  }
  const password = text.replace(/\r?\n$/, '')
  const problem = passwordProblem(password)
  if (problem) throw new OperatorError(`--password-stdin: the password ${problem}.`)
  return { password, shown: {} }
}

async function view(sql: Sql, person: Person) {
  return {
    user_id: person.id,
    email: person.email,
    email_verified: person.email_verified,
    name: person.name,
    state: person.state,
    organisations: await membershipsOf(sql, person.id),
    created_at: isoOrNull(person.created_at),
  }
}
