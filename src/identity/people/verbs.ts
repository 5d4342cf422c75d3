import type { Command } from 'commander'
import { operatorIn } from '../../access/actor.ts'
import { ROLE_NAMES, type Role } from '../../access/roles.ts'
import type { Sql, Tx } from '../../db/sql.ts'
import { isoOrNull } from '../../lib/time-text.ts'
import {
  dateText,
  LIST_ROWS_MAX,
  type OperatorContext,
  OperatorError,
  oneOfWords,
  print,
  table,
  verb,
  withStore,
} from '../../operator/context.ts'
import { announcePersonChange } from '../announce.ts'
import { addMember, organisationsOf, removeMember, setRole } from '../members/members.ts'
import { requireOrganisation } from '../organisation/organisations.ts'
import { disablePerson, enablePerson, resetPassword } from './changes.ts'
import { withdrawConsents } from './consents.ts'
import { resetFactors } from './factors/factors.ts'
import { setOperator } from './operators.ts'
import { type About, passwordProblem } from './password-choice.ts'
import { hashPassword, newPassword } from './passwords.ts'
import { createPerson, listPeople, type Person, requirePersonByEmail } from './people.ts'

const PASSWORD_BYTES_MAX = 4096
const ROLE_HELP = ROLE_NAMES.join(', ')
const roleOf = oneOfWords('--role', ROLE_NAMES)

export function registerUserVerbs(program: Command, context: OperatorContext): void {
  const user = program.command('user').description('people who sign in')

  /** Changes a person in one transaction, tells the running nodes, and prints the person as they are now. */
  async function change(
    options: { readonly email: string; readonly json?: boolean },
    work: (tx: Tx, person: Person) => Promise<unknown>,
    line: (person: Person) => string,
    more: object = {},
  ): Promise<void> {
    await withStore(context, async (store) => {
      await store.change(async (tx) => work(tx, await requirePersonByEmail(tx, options.email)))
      await announcePersonChange(store.sql)
      const person = await requirePersonByEmail(store.sql, options.email)
      print(context, options.json, { ...(await view(store.sql, person)), ...more }, () => line(person))
    })
  }

  verb(user, 'create', 'add a person; without --password-stdin a password is made and shown this once')
    .requiredOption('--email <email>', 'what they sign in with')
    .requiredOption('--name <name>', 'their name')
    .requiredOption('--org <id>', 'organisation they belong to')
    .option('--role <role>', ROLE_HELP, roleOf, 'developer')
    .option('--email-verified', 'you know that the address is theirs')
    .option('--password-stdin', 'read the password from standard input')
    .action(async (options: CreateOptions) => {
      await withStore(context, async (store) => {
        await requireOrganisation(store.sql, options.org)
        const { passwordHash, shown } = await choosePassword(options.passwordStdin, options)
        const person = await store.change(async (tx) => {
          const { email, name, emailVerified = false, org, role } = options
          const made = await createPerson(tx, { email, name, emailVerified, passwordHash })
          await addMember(tx, operatorIn(org), { personId: made.id, role })
          return made
        })
        print(context, options.json, { ...(await view(store.sql, person)), ...shown }, () =>
          [
            `User ${person.id} (${person.email}), ${options.role} of ${options.org}.`,
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
        const people = await listPeople(sql, { organisationId: options.org, limit: LIST_ROWS_MAX })
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

  verb(user, 'reset-password', 'give a new password; sessions and what applications were allowed to do end')
    .argument('[email]', 'whose')
    .option('--email <email>', 'the same, by name')
    .option('--password-stdin', 'read the password from standard input')
    .action(
      async (argument: string | undefined, options: { email?: string; passwordStdin?: boolean; json?: boolean }) => {
        const email = argument ?? options.email ?? ''
        const { passwordHash, shown } = await choosePassword(options.passwordStdin, { email })
        await change(
          { ...options, email },
          (tx, person) => resetPassword(tx, person.id, passwordHash),
          ({ email }) =>
            shown.password === undefined
              ? `The password of ${email} is changed.`
              : `Password of ${email}, shown this once: ${shown.password}`,
          shown,
        )
      },
    )

  verb(
    user,
    'reset-factors',
    'remove every passkey, the one-time codes and recovery codes of somebody who lost them; the password stays, sessions end',
  )
    .requiredOption('--email <email>', 'whose')
    .action((options: { email: string; json?: boolean }) =>
      change(
        options,
        (tx, person) => resetFactors(tx, { sendsMail: context.config().ASSAY_SMTP_URL !== undefined }, person.id),
        ({ email }) => `${email} signs in with the password alone until they add a factor again.`,
      ),
    )

  verb(user, 'join', 'add a person to an organisation, or change their role there')
    .requiredOption('--email <email>', 'who')
    .requiredOption('--org <id>', 'organisation')
    .option('--role <role>', ROLE_HELP, roleOf, 'developer')
    .action((options: { email: string; org: string; role: Role; json?: boolean }) =>
      change(
        options,
        (tx, person) => setRole(tx, operatorIn(options.org), { personId: person.id, role: options.role }),
        ({ email }) => `${email} is ${options.role} of ${options.org}.`,
      ),
    )

  verb(user, 'leave', 'take a person out of an organisation; their tokens there stop')
    .requiredOption('--email <email>', 'who')
    .requiredOption('--org <id>', 'organisation')
    .action((options: { email: string; org: string; json?: boolean }) =>
      change(
        options,
        (tx, person) => removeMember(tx, operatorIn(options.org), person.id),
        ({ email }) => `${email} has left ${options.org}.`,
      ),
    )

  verb(user, 'revoke-tokens', 'withdraw what a person let applications do: their tokens end, and they are asked again')
    .requiredOption('--email <email>', 'whose')
    .option('--org <id>', 'only what is charged to one organisation')
    .option('--client <id>', 'only one application')
    .action(async (options: { email: string; org?: string; client?: string; json?: boolean }) => {
      await withStore(context, async (store) => {
        const consents = await store.change(async (tx) => {
          if (options.org !== undefined) await requireOrganisation(tx, options.org)
          const { id } = await requirePersonByEmail(tx, options.email)
          return withdrawConsents(tx, operatorIn, id, { organisationId: options.org, clientId: options.client })
        })
        await announcePersonChange(store.sql)
        const withdrawn = consents.map(({ clientId, clientName, organisationId, scopes }) => ({
          client_id: clientId,
          client_name: clientName,
          organisation_id: organisationId,
          scope: scopes.join(' '),
        }))
        print(context, options.json, { email: options.email, withdrawn }, () =>
          table(
            ['CLIENT', 'NAME', 'ORGANISATION', 'SCOPES'],
            withdrawn.map((one) => [one.client_id, one.client_name, one.organisation_id, one.scope]),
            `${options.email} had allowed nothing of this. No token of theirs works.`,
          ),
        )
      })
    })

  verb(
    user,
    'operator',
    'let a person look after every organisation in the console, as these verbs do; with --off, no longer',
  )
    .requiredOption('--email <email>', 'who')
    .option('--off', 'no longer')
    .action((options: { email: string; off?: boolean; json?: boolean }) => {
      const on = options.off !== true
      return change(
        options,
        (tx, person) => setOperator(tx, person.id, on),
        ({ email }) =>
          on ? `${email} looks after every organisation.` : `${email} sees their own organisations only.`,
        { operator: on },
      )
    })

  for (const [name, work, about] of [
    ['disable', disablePerson, 'stop a person from signing in; their sessions and tokens end'],
    ['enable', enablePerson, 'let a person sign in again'],
  ] as const) {
    verb(user, name, about)
      .requiredOption('--email <email>', 'who')
      .action((options: { email: string; json?: boolean }) =>
        change(
          options,
          (tx, person) => work(tx, person.id),
          ({ email, state }) => `${email} is ${state}.`,
        ),
      )
  }
}

interface CreateOptions {
  readonly email: string
  readonly name: string
  readonly org: string
  readonly role: Role
  readonly emailVerified?: boolean
  readonly passwordStdin?: boolean
  readonly json?: boolean
}

/** From standard input, never from the command line, where other users of the machine could read it. */
async function choosePassword(
  fromStdin: boolean | undefined,
  about: About,
): Promise<{ passwordHash: string; shown: { password?: string } }> {
  if (!fromStdin) {
    const password = newPassword()
    return { passwordHash: await hashPassword(password), shown: { password } }
  }
  let text = ''
  for await (const chunk of process.stdin) {
    text += chunk
    if (text.length > PASSWORD_BYTES_MAX) throw new OperatorError('--password-stdin: that is too long for a password.')
  }
  const password = text.replace(/\r?\n$/, '')
  const problem = passwordProblem(password, about)
  if (problem) throw new OperatorError(`--password-stdin: the password ${problem}.`)
  return { passwordHash: await hashPassword(password), shown: {} }
}

async function view(sql: Sql, person: Person) {
  return {
    user_id: person.id,
    email: person.email,
    email_verified: person.email_verified,
    name: person.name,
    state: person.state,
    organisations: (await organisationsOf(sql, person.id)).map(({ id, name, role, state }) => ({
      id,
      name,
      role,
      state,
    })),
    created_at: isoOrNull(person.created_at),
  }
}
