import type { OneOrganisation } from '../../api/generated/pages.ts'
import { Dialog } from '../../shell/dialog.tsx'
import { say, type Words } from '../../shell/words.ts'
import type { ActProps, Asked } from './acts.ts'
import { GiveCredit } from './give-credit.tsx'
import { SettleInvoice, VoidInvoice } from './invoice-acts.tsx'
import { ResetPassword } from './reset-password.tsx'
import { SayWord } from './say-word.tsx'
import { ACTS } from './words.ts'

/** The question before an act: what it does, to whom, over which amount. */
export function ActDialog({ asked, ...props }: ActProps & { asked: Asked | undefined }) {
  return (
    <Dialog
      opened={asked !== undefined}
      title={asked ? titleOf(asked, props.organisation) : ''}
      onClose={props.onClose}
    >
      {asked ? <Question asked={asked} {...props} /> : null}
    </Dialog>
  )
}

function titleOf(asked: Asked, { name }: OneOrganisation): Words {
  if (asked.what === 'credit') return say`Give credit to ${name}`
  if (asked.what === 'word') return [`${ACTS[asked.word].label}: `, { name }, '?']
  if (asked.what === 'reset') return say`Reset the password of ${asked.member.name}?`
  return asked.what === 'settle'
    ? `Settle invoice ${asked.invoice.number}?`
    : `Take back invoice ${asked.invoice.number}?`
}

function Question({ asked, ...props }: ActProps & { asked: Asked }) {
  if (asked.what === 'credit') return <GiveCredit {...props} />
  if (asked.what === 'word') return <SayWord word={asked.word} {...props} />
  if (asked.what === 'reset') return <ResetPassword member={asked.member} {...props} />
  return asked.what === 'settle' ? (
    <SettleInvoice invoice={asked.invoice} {...props} />
  ) : (
    <VoidInvoice invoice={asked.invoice} {...props} />
  )
}
