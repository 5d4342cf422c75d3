/** The words of every mail: what happened, what to do, why it was sent, and what to do if it was not you. */
import { invoiceName, pounds } from '../lib/money-text.ts'
import { type Letter, type RenderedMail, rendered } from './letter.ts'
import type { MailFacts, MailKind } from './mail.ts'
import { say, subject } from './prose.ts'

/** The addresses that a mail may link to. */
export interface Place {
  /** The address of this server. */
  readonly baseUrl: string
  /** The link that the message carries, for the kinds that have one. */
  readonly link?: string | undefined
  /** The time zone of the recipient, as IANA names it, if it is known. */
  readonly timeZone?: string | undefined
}

/** Thrown for a message that cannot become a mail, even after a retry. */
export class UnsendableMail extends Error {}

const LETTERS: { readonly [Kind in MailKind]: (facts: MailFacts[Kind], place: Place) => Letter } = {
  invitation: ({ organisation, inviter, role, expires_at }, place) => ({
    subject: subject`Invitation to ${organisation} on Assay`,
    says: [
      say`${inviter} invites you to join the organisation “${organisation}” as ${role}.`,
      expires_at === undefined
        ? say`The link works once, and only for this email address.`
        : say`The link works once, until ${dayText(expires_at)}, and only for this email address.`,
    ],
    action: { label: 'Accept the invitation', href: ownLink(place) },
    why: say`You get this mail because somebody entered your address in an invitation. Nothing happens unless you accept. If you do not know the sender, ignore it.`,
  }),
  verify_address: (_, place) => ({
    subject: 'Confirm your email address',
    says: say`Please confirm that this address is yours. The link works once, for a day.`,
    action: { label: 'Confirm the address', href: ownLink(place) },
    why: say`You get this mail because somebody with an account here gave this address. If that was not you, ignore it: without the link the address stays unconfirmed.`,
  }),
  sign_up: ({ organisation, role }, place) => ({
    subject: 'Finish signing up to Assay',
    says:
      role === undefined
        ? say`Open the link to create your account and the organisation “${organisation}”. It works once, for a day.`
        : say`Open the link to create your account and join the organisation “${organisation}” as ${role}. It works once, for a day.`,
    action: { label: 'Finish signing up', href: ownLink(place) },
    why: say`You get this mail because somebody signed up with this address. If that was not you, ignore it: without the link no account is created.`,
  }),
  sign_up_again: ({ organisation, role }, place) => ({
    subject: 'You already have an Assay account',
    says:
      role === undefined
        ? say`Somebody signed up with this address, but it already has an account. Open the link to add the organisation “${organisation}” to your account. It works once, for a day.`
        : say`Somebody accepted an invitation with this address, but it already has an account. Open the link to join the organisation “${organisation}” as ${role} with your account. It works once, for a day.`,
    action: { label: role === undefined ? 'Add the organisation' : 'Join the organisation', href: ownLink(place) },
    why: say`If that was not you, ignore this mail: nothing was changed. If you forgot your password, ask for a new one on the sign-in page.`,
  }),
  reset_password: (_, place) => ({
    subject: 'Set a new password',
    says: say`Open the link to set a new password. It works once, for an hour.`,
    action: { label: 'Set a new password', href: ownLink(place) },
    why: say`You get this mail because somebody asked for a new password for this address. If that was not you, ignore it: your password stays as it is.`,
  }),
  change_address: (_, place) => ({
    subject: 'Confirm your new email address',
    says: say`Please confirm that this address is yours. Then you sign in with it, and mail comes here. The link works once, for a day, in a browser where you are signed in.`,
    action: { label: 'Use this address', href: ownLink(place) },
    why: say`You get this mail because somebody with an account here wants to use this address. If that was not you, ignore it: without the link nothing changes.`,
  }),
  address_changed: ({ at, by }, place) => ({
    subject: 'The email address of your account was changed',
    says: [
      by === 'undo'
        ? say`The change to this address was undone at ${timeText(at, place)}: your account has its former address again.`
        : say`Your account has another email address since ${timeText(at, place)}. You no longer sign in with this one.`,
      ...(by === 'person'
        ? [say`If that was not you, undo it within 7 days: this address comes back and every session ends.`]
        : []),
    ],
    ...(by === 'person' ? { action: { label: 'Undo the change', href: ownLink(place) } } : {}),
    why:
      by === 'operator'
        ? say`You get this mail because the operator of the server changed the address. If you did not ask for it, tell the operator.`
        : say`If that was you, there is nothing to do. If it was not, also inform the owner of your organisation.`,
  }),
  erasure_asked: ({ organisation, erased_from }, place) => ({
    subject: organisation === null ? 'Your account will be deleted' : subject`${organisation} will be erased`,
    says: [
      organisation === null
        ? say`Your account will be deleted for good on ${dayText(erased_from)}, with everything that only you see.`
        : say`Everything of ${organisation} will be erased for good on ${dayText(erased_from)}: checks, counterparties, lists, keys and members. Remaining credit is lost.`,
      say`Until then you can download everything, and cancel.`,
    ],
    action:
      organisation === null
        ? { label: 'Open your account', href: to(place, '/console/account') }
        : { label: 'Open the organisation', href: to(place, '/console/members') },
    why: say`If you do not want that, cancel it there.`,
  }),
  erasure_cancelled: ({ organisation }) => ({
    subject: organisation === null ? 'Your account stays' : subject`${organisation} stays`,
    says:
      organisation === null
        ? say`The deletion of your account was cancelled: nothing was erased.`
        : say`The erasure of ${organisation} was cancelled: nothing was erased.`,
    why: say`If that was not you, inform the other owners and the operator of the server.`,
  }),
  account_deleted: ({ at, organisation = null, receipt }, place) => ({
    subject: organisation === null ? 'Your account was deleted' : subject`${organisation} was erased`,
    says: [
      organisation === null
        ? say`Your account was deleted at ${timeText(at, place)}, with its sessions, passkeys and connected applications.`
        : say`Everything of ${organisation} was erased at ${timeText(at, place)}.`,
      ...(receipt === undefined
        ? []
        : [
            say`The receipt says what was erased, what is kept by law and until when. Keep this mail: it is the only copy that you have.`,
          ]),
    ],
    ...(receipt === undefined ? {} : { action: { label: 'Open the receipt', href: to(place, `/receipt#${receipt}`) } }),
    why: say`If that was not you, inform the owner of your organisation and the operator of the server.`,
  }),
  password_changed: ({ at, ip, by_operator = false }, place) => ({
    subject: 'Your password was changed',
    says: [
      by_operator
        ? say`The operator of the server set a new password for you at ${timeText(at, place)}. Every session has ended.`
        : ip === null
          ? say`Your password was changed at ${timeText(at, place)}.`
          : say`Your password was changed at ${timeText(at, place)}, from the address ${ip}.`,
    ],
    action: { label: 'Open your account', href: to(place, '/console/account') },
    why: say`If that was not you, set a new password on the sign-in page immediately (“Forgot password”), and inform the owner of your organisation.`,
  }),
  new_sign_in: ({ at, ip, place: where, device }, place) => ({
    subject: 'New sign-in to your account',
    says: [
      say`Somebody signed in to your account from a browser that we have not seen before.`,
      say`When: ${timeText(at, place)}`,
      where === null ? say`From: ${ip}` : say`From: ${ip} (${where})`,
      say`With: ${device}`,
    ],
    action:
      place.link === undefined
        ? { label: 'See your sessions', href: to(place, '/console/account') }
        : { label: 'This was not me', href: ownLink(place) },
    why: say`If that was you, there is nothing to do. If it was not, end all sessions and choose a new password. The link works once, for three days.`,
  }),
  factor_changed: ({ at, change }, place) => ({
    subject: 'Your sign-in methods were changed',
    says: say`Your sign-in methods were changed: ${change}, at ${timeText(at, place)}.`,
    action: { label: 'Open your account', href: to(place, '/console/account') },
    why: say`If that was not you, change your password immediately, check the passkeys and codes on your account page, and inform the owner of your organisation.`,
  }),
  second_factor_needed: ({ organisation, owner, from }, place) => ({
    subject:
      from === null
        ? subject`${organisation} requires a second factor`
        : subject`${organisation} requires a second factor from ${dayText(from)}`,
    says: [
      say`${owner ?? 'The operator'} decided that members of “${organisation}” need a second factor, and your account has none.`,
      from === null
        ? say`Until you add a passkey or one-time codes, you cannot act there, and applications that acted for you there have lost access.`
        : say`Add a passkey or one-time codes before ${timeText(from, place)}. After that you cannot act there until you do, and applications that act for you there lose access.`,
    ],
    action: { label: 'Add a second factor', href: to(place, '/console/account') },
    why: say`You get this mail because you are a member of the organisation.`,
  }),
  invitation_asked: ({ organisation, email, role }, place) => ({
    subject: subject`${email} asks for a new invitation to ${organisation}`,
    says: say`The invitation of ${email} to “${organisation}” as ${role} no longer works, and its addressee asks for a new one.`,
    action: { label: 'Invite again', href: to(place, '/console/members') },
    why: say`You get this mail because you made the invitation, or because you are an owner of the organisation. Nothing happens unless you invite them. It is sent at most once a day for an invitation.`,
  }),
  recovery_code_used: ({ at, left }, place) => ({
    subject: 'A recovery code was used',
    says: [
      say`Somebody used one of your recovery codes at ${timeText(at, place)}. Codes left: ${left}.`,
      ...(left < 3 ? [say`Create new ones on your account page, before the last is used.`] : []),
    ],
    action: { label: 'Open your account', href: to(place, '/console/account') },
    why: say`If that was not you, change your password immediately, create new recovery codes, and inform the owner of your organisation.`,
  }),
  alert_reached: ({ organisation, alert, threshold_pence: threshold, present_pence: present }, place) => ({
    subject:
      alert === 'credit_below'
        ? subject`${organisation}: credit is below ${pounds(threshold)}`
        : subject`${organisation}: overage is above ${pounds(threshold)}`,
    says:
      alert === 'credit_below'
        ? say`The credit of “${organisation}” is ${pounds(present)}, below your alert at ${pounds(threshold)}.`
        : say`The overage of “${organisation}” this month is ${pounds(present)}, above your alert at ${pounds(threshold)}.`,
    action: { label: 'Open billing', href: to(place, '/console/billing') },
    why: say`You get this mail because this alert is set, and you are an owner or admin of the organisation. It is sent once each time the alert is reached; alerts are set and removed under Billing.`,
  }),
  credit_low: ({ organisation, credit_pence: credit }, place) => ({
    subject: subject`${organisation}: credit is nearly used up`,
    says: [
      say`The credit of “${organisation}” is ${pounds(credit)}: enough for fewer than a hundred checks.`,
      say`The plan has no overage, so checks are refused when the credit is used up. Top up to continue.`,
    ],
    action: { label: 'Top up', href: to(place, '/console/billing') },
    why: say`You get this mail because you are an owner or admin of the organisation. It is sent at most once a month; set an alert under Billing to be notified earlier.`,
  }),
  invoice_issued: ({ organisation, number, total_pence: total, due_at: dueAt }, place) => ({
    subject: subject`${organisation}: invoice ${invoiceName(number)} over ${pounds(total)}`,
    says: [
      say`Invoice ${invoiceName(number)} over ${pounds(total)} was issued for “${organisation}”.`,
      dueAt === null
        ? say`The plan or credit begins when it is paid.`
        : say`It is due on ${dayText(dueAt)}. A saved card is charged automatically.`,
    ],
    action: { label: 'See the invoice', href: to(place, '/console/billing/invoices') },
    why: say`You get this mail because you are an owner or admin of the organisation.`,
  }),
  invoice_overdue: ({ organisation, number, total_pence: total, due_at: dueAt }, place) => ({
    subject: subject`${organisation}: invoice ${invoiceName(number)} is overdue`,
    says: [
      say`Invoice ${invoiceName(number)} over ${pounds(total)} for “${organisation}” was due on ${dayText(dueAt)} and is not paid.`,
      say`Checks are refused until it is paid. If you have paid it in the last days, there is nothing more to do.`,
    ],
    action: { label: 'Pay the invoice', href: to(place, '/console/billing/invoices') },
    why: say`You get this mail because you are an owner or admin of the organisation.`,
  }),
  webhook_disabled: ({ organisation, host, reason }, place) => ({
    subject: subject`${organisation}: a webhook was disabled`,
    says: [
      say`The webhook of “${organisation}” to ${host} was disabled. ${reason}`,
      say`Events are no longer sent there. Repair the receiver, enable the webhook, and replay the failed deliveries.`,
    ],
    action: { label: 'Open the webhooks', href: to(place, '/console/webhooks') },
    why: say`You get this mail because you are an owner or admin of the organisation.`,
  }),
  event_digest: ({ frequency, organisations }, place) => ({
    subject: frequency === 'daily' ? 'Events of the last day' : 'Events of the last week',
    says: [
      ...organisations.flatMap(({ name: organisation, lines }) => [
        say`${organisation}:`,
        ...lines.map((line) => say`${line}`),
      ]),
    ],
    action: { label: 'Open the inbox', href: to(place, '/console/inbox') },
    why: say`You get this mail because you chose it on your account page. There you can also stop it.`,
  }),
}

export function renderMail<Kind extends MailKind>(kind: Kind, facts: MailFacts[Kind], place: Place): RenderedMail {
  if (!Object.hasOwn(LETTERS, kind)) throw new UnsendableMail('this version has no mail of this kind')
  const letter = LETTERS[kind](facts, place)
  const greeting = 'name' in facts ? [say`Hello ${facts.name},`] : []
  return rendered({ ...letter, says: [...greeting, letter.says].flat() }, place.baseUrl)
}

export function renderTestMail(place: Place): RenderedMail {
  return rendered(
    {
      subject: 'Test of mail from Assay',
      says: say`This server can send mail: this mail proves it.`,
      why: say`You get this mail because the operator of the server sent a test to this address.`,
    },
    place.baseUrl,
  )
}

const to = ({ baseUrl }: Place, path: string) => `${baseUrl}${path}`

/** The link of the message, which must lead to this server. */
function ownLink({ baseUrl, link }: Place): string {
  if (link === undefined) throw new UnsendableMail('its link is missing')
  if (!link.startsWith(`${baseUrl}/`) || /[\s<>"]/.test(link)) {
    throw new UnsendableMail('its link does not lead to this server: was ASSAY_BASE_URL changed?')
  }
  return link
}

const dayText = (isoTime: string) => isoTime.slice(0, 10)

/** In UTC, and as a clock on the recipient's wall shows it: with its day, where that is another. */
function timeText(isoTime: string, { timeZone }: Place): string {
  const minute = isoTime.slice(0, 16).replace('T', ' ')
  if (timeZone === undefined || timeZone === 'UTC') return `${minute} UTC`
  const local = new Date(isoTime).toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  const [day, time] = local.split(' ')
  return `${minute} UTC (${day === isoTime.slice(0, 10) ? time : local} ${timeZone})`
}
