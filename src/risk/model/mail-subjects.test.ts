import { expect, test } from 'vitest'
import { memorySnapshot } from '../../../test/support/memory-snapshot.ts'
import { testModels } from '../../../test/support/models.ts'
import { levelOf } from '../engine.ts'
import { isProblem, parseIndicator } from '../indicator.ts'
import { createScorer } from '../score.ts'
import { subjectIn } from './mail-subjects.ts'

const scorer = createScorer(memorySnapshot({ domains: {} }), testModels())

function ask(name: string) {
  const indicator = parseIndicator('domain', name)
  if (isProblem(indicator)) throw new Error(`${name} was refused: ${indicator.detail}`)
  return scorer.evaluate('domain', [indicator], { explain: true })[0]!
}

test('a name that is nothing but the subject of a mail needs a second look, and says which words', () => {
  const names =
    'overdue-invoice-reminder.com bank-change-notification.com outstanding-payment-notice.com new-bank-account-details.com ' +
    'wire-instructions-update.com mailbox-storage-upgrade.com quantum-ai-profit-bot.com crypto-recovery-agent-247.com ' +
    'remotejob-typing-500daily.site gift-card-generator-free.com atm-card-compensation.com'
  for (const name of names.split(' ')) expect(levelOf(ask(name).score), name).not.toBe('low')
  expect(ask('overdue-invoice-reminder.com').signals.map(({ description }) => description)).toContain(
    'Reads like the subject of an e-mail, not like a name: “overdue”, “reminder” and “invoice” are common in fraud by e-mail',
  )
})

test('one other word makes it a name, and so does the ending of a country', () => {
  const names =
    'harbour-invoice-reminder.com invoice-reminder.com mail-storage.com remote-typing-school.com ' +
    'bank-holiday-notice.co.uk payment-details-update.de account-manager-training.com card-making-club.com'
  for (const name of names.split(' ')) expect(levelOf(ask(name).score), name).toBe('low')
  expect(subjectIn('the-office-team')).toBeUndefined()
})
