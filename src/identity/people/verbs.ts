import type { Command } from 'commander'
import { operatorIn } from '../../access/actor.ts'
import { ROLE_NAMES } from '../../access/roles.ts'
import type { Sql, Tx } from '../../db/sql.ts'
import { shown } from '../../lib/clock.ts'
import { type VerbContext, VerbError } from '../../verb/context.ts'
import { dateText, listAnswer, table } from '../../verb/output.ts'
import { mailSettingsOf } from '../../verb/settings.ts'
import { type Store, withStore } from '../../verb/store.ts'
import {
  type Answer,
  flag,
  LIST_ROWS_MAX,
  oneOfWords,
  optional,
  required,
  verbsOf,
  withDefault,
} from '../../verb/verb.ts'
import { announcePersonChange } from '../announce.ts'
import { addMember, organisationsOf, removeMember, setRole } from '../members/members.ts'
import { requireOrganisation } from '../organisation/organisations.ts'
import { tellNewMember } from '../organisation/second-factor.ts'
import { resetForPerson } from './account.ts'
import { setAddress } from './address.ts'
import { disablePerson, enablePerson, setOperator } from './changes.ts'
import { withdrawConsents } from './consents.ts'
import { resetFactors } from './factors/factors.ts'
import { type About, passwordProblem } from './password-choice.ts'
import { hashPassword, newPassword } from './passwords.ts'
import {
  checkStoredAddresses,
  createPerson,
  listInvalidAddresses,
  listPeople,
  type Person,
  requirePerson,
  requirePersonByEmail,
} from './people.ts'

const PASSWORD_BYTES_MAX = 4096
const ROLE = withDefault('--role <role>', ROLE_NAMES.join(', '), 'developer', oneOfWords('--role', ROLE_NAMES))
const WHO = { email: required('--email <email>', 'who') }
const WHOSE = { email: required('--email <email>', 'whose') }
const PASSWORD = flag('--password-stdin', 'read the password from standard input')

/** `assayd user`. Other features add verbs to the returned group. */
export function registerUserVerbs(program: Command, context: VerbContext): Command {
  const telling = () => ({ sendsMail: mailSettingsOf(context.config()) !== undefined })
  const user = program.command('user').description('people who sign in')
  const add = verbsOf(user, context, withStore)

  add('create', 'add a person; without --password-stdin a password is generated and shown only once', {
    email: required('--email <email>', 'email address for signing in'),
    name: required('--name <name>', 'their name'),
    org: optional('--org <id>', 'organisation of the person; not needed with --operator'),
    role: ROLE,
    operator: flag('--operator', 'make the person an operator, who manages every organisation in the console'),
    emailVerified: flag('--email-verified', 'mark the address as verified'),
    fromStdin: PASSWORD,
  }).runs(async ({ sql, change }, { email, name, org, role, operator = false, emailVerified = false, fromStdin }) => {
    if (org !== undefined) await requireOrganisation(sql, org)
    else if (!operator)
      throw new VerbError('--org: is missing. Name an organisation, or make the person an --operator.')
    const { passwordHash, shown } = await choosePassword(fromStdin, { email, name })
    const person = await change(async (tx) => {
      const made = await createPerson(tx, { email, name, emailVerified, passwordHash })
      if (org !== undefined) {
        await addMember(tx, operatorIn(org), { personId: made.id, role })
        await tellNewMember(tx, telling(), org, made.id)
      }
      if (operator) await setOperator(tx, made.id, true)
      return made
    })
    return {
      value: { ...(await view(sql, person)), ...shown },
      text: [
        `User ${person.id} (${person.email})${org === undefined ? '' : `, ${role} of ${org}`}${operator ? ', operator' : ''}.`,
        ...(shown.password === undefined ? [] : [`Password, shown only once: ${shown.password}`]),
      ],
    }
  })

  add('list', 'show people', {
    organisationId: optional('--org <id>', 'only those of one organisation'),
    invalid: flag('--invalid-addresses', 'only those whose address is not valid: they get no mail'),
  }).runs(async ({ sql }, { organisationId, invalid }) => {
    if (invalid) return invalidAddresses(sql)
    if (organisationId !== undefined) await requireOrganisation(sql, organisationId)
    const people = await listPeople(sql, { organisationId, limit: LIST_ROWS_MAX })
    const rows = await Promise.all(people.map(async (person) => ({ ...person, view: await view(sql, person) })))
    return listAnswer(
      rows,
      (row) => row.view,
      'There is no user yet: assayd user create --email EMAIL --name NAME --org ID',
      {
        USER: (row) => row.id,
        EMAIL: (row) => row.email,
        NAME: (row) => row.name,
        STATE: (row) => row.state,
        CREATED: (row) => dateText(row.created_at),
        ORGANISATIONS: (row) => row.view.organisations.map(({ id, role }) => `${id} (${role})`).join(' '),
      },
    )
  })

  add('reset-password', 'set a new password; sessions and consents to applications end', {
    argument: optional('[email]', 'whose'),
    named: optional('--email <email>', 'the same as the argument'),
    fromStdin: PASSWORD,
  }).runs(async (store, { argument, named = '', fromStdin }) => {
    const email = argument ?? named
    const { passwordHash, shown } = await choosePassword(fromStdin, { email })
    return changePerson(store, email, {
      change: (tx, { id }) => resetForPerson(tx, telling(), id, passwordHash, operatorIn),
      text: (person) =>
        shown.password === undefined
          ? `The password of ${person.email} is changed.`
          : `Password of ${person.email}, shown only once: ${shown.password}`,
      more: shown,
    })
  })

  add(
    'reset-factors',
    'remove all passkeys, one-time codes and recovery codes of a person who lost them; the password stays, sessions end',
    WHOSE,
  ).runs((store, { email }) =>
    changePerson(store, email, {
      change: (tx, { id }) => resetFactors(tx, telling(), id),
      text: (person) => `${person.email} signs in with only the password until they add a factor again.`,
    }),
  )

  add('change-email', 'give a person another email address; their sessions end, and the former address gets a mail', {
    ...WHOSE,
    to: required('--to <email>', 'the new address'),
    emailVerified: flag('--email-verified', 'mark the new address as verified'),
  }).runs((store, { email, to, emailVerified = false }) =>
    changePerson(store, email, {
      change: (tx, { id }) => setAddress(tx, telling(), id, { email: to, emailVerified }),
      text: (person) => `${email} signs in as ${person.email} now.`,
    }),
  )

  add('join', 'add a person to an organisation, or change their role there', {
    ...WHO,
    org: required('--org <id>', 'organisation'),
    role: ROLE,
  }).runs((store, { email, org, role }) =>
    changePerson(store, email, {
      change: async (tx, { id }) => {
        await setRole(tx, operatorIn(org), { personId: id, role })
        await tellNewMember(tx, telling(), org, id)
      },
      text: (person) => `${person.email} is ${role} of ${org}.`,
    }),
  )

  add('leave', 'remove a person from an organisation; their tokens there end', {
    ...WHO,
    org: required('--org <id>', 'organisation'),
  }).runs((store, { email, org }) =>
    changePerson(store, email, {
      change: (tx, { id }) => removeMember(tx, operatorIn(org), id),
      text: (person) => `${person.email} has left ${org}.`,
    }),
  )

  add(
    'revoke-tokens',
    'withdraw the consents of a person to applications: tokens end, and applications must ask again',
    {
      ...WHOSE,
      organisationId: optional('--org <id>', 'only consents charged to one organisation'),
      clientId: optional('--client <id>', 'only consents to one application'),
    },
  ).runs(async ({ sql, change }, { email, organisationId, clientId }) => {
    const consents = await change(async (tx) => {
      if (organisationId !== undefined) await requireOrganisation(tx, organisationId)
      const { id } = await requirePersonByEmail(tx, email)
      return withdrawConsents(tx, operatorIn, id, { organisationId, clientId })
    })
    await announcePersonChange(sql)
    const withdrawn = consents.map(({ clientId: client_id, clientName: client_name, organisationId, scopes }) => {
      return { client_id, client_name, organisation_id: organisationId, scope: scopes.join(' ') }
    })
    return {
      value: { email, withdrawn },
      text: table(withdrawn, `${email} had no such consent. None of their tokens is valid.`, {
        CLIENT: (one) => one.client_id,
        NAME: (one) => one.client_name,
        ORGANISATION: (one) => one.organisation_id,
        SCOPES: (one) => one.scope,
      }),
    }
  })

  add('operator', 'make a person an operator, who manages every organisation in the console; --off ends this', {
    ...WHO,
    off: flag('--off', 'no longer'),
  }).runs((store, { email, off }) =>
    changePerson(store, email, {
      change: (tx, { id }) => setOperator(tx, id, !off),
      text: (person) =>
        off ? `${person.email} sees only their own organisations.` : `${person.email} manages every organisation.`,
      more: { operator: !off },
    }),
  )

  for (const [name, work, about] of [
    ['disable', disablePerson, 'disable a person; their sessions and tokens end'],
    ['enable', enablePerson, 'enable a person again'],
  ] as const) {
    add(name, about, WHO).runs((store, { email }) =>
      changePerson(store, email, {
        change: (tx, { id }) => work(tx, id),
        text: (person) => `${person.email} is ${person.state}.`,
      }),
    )
  }
  return user
}

async function invalidAddresses(sql: Sql): Promise<Answer> {
  await checkStoredAddresses(sql)
  const found = await listInvalidAddresses(sql, LIST_ROWS_MAX)
  const rows = await Promise.all(found.map(async (one) => ({ ...one, view: await view(sql, one) })))
  return listAnswer(rows, ({ view, problem }) => ({ ...view, problem }), 'Every address is valid.', {
    USER: (row) => row.id,
    EMAIL: (row) => row.email,
    NAME: (row) => row.name,
    STATE: (row) => row.state,
    PROBLEM: (row) => row.problem,
  })
}

/** Changes a person in one transaction, notifies the running nodes, and prints the changed person. */
async function changePerson(
  store: Store,
  email: string,
  how: { change: (tx: Tx, person: Person) => Promise<unknown>; text: (person: Person) => string; more?: object },
): Promise<Answer> {
  const { id } = await store.change(async (tx) => {
    const found = await requirePersonByEmail(tx, email)
    await how.change(tx, found)
    return found
  })
  await announcePersonChange(store.sql)
  const person = await requirePerson(store.sql, id)
  return { value: { ...(await view(store.sql, person)), ...how.more }, text: how.text(person) }
}

/** From standard input, never from the command line, where other users of the machine could read it. */
async function choosePassword(fromStdin: boolean | undefined, about: About) {
  if (!fromStdin) {
    const password = newPassword()
    return { passwordHash: await hashPassword(password), shown: { password } }
  }
  let text = ''
  for await (const chunk of process.stdin) {
    text += chunk
    if (text.length > PASSWORD_BYTES_MAX) throw new VerbError('--password-stdin: the password is too long.')
  }
  const password = text.replace(/\r?\n$/, '')
  const problem = passwordProblem(password, about)
  if (problem) throw new VerbError(`--password-stdin: the password ${problem}.`)
  return { passwordHash: await hashPassword(password), shown: {} }
}

async function view(sql: Sql, person: Person) {
  const memberOf = await organisationsOf(sql, person.id)
  const organisations = memberOf.map((one) => shown(one, 'id', 'name', 'role', 'state'))
  const own = shown(person, 'email', 'email_verified', 'name', 'state', 'created_at')
  return { user_id: person.id, ...own, organisations }
}
