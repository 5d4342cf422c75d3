import { AUDIT_ACTIONS } from '@assay/sdk'
import { describe, expect, it } from 'vitest'
import { AUDIT_ACTIONS as RECORDED } from '../../../src/identity/audit.ts'
import { type AuditAction, type AuditEntry, predicateOf, SENTENCES, subjectOf } from './sentences.ts'

function sentenceText(entry: AuditEntry): string {
  const { before, name, after } = subjectOf(entry.actor)
  const rest = predicateOf(entry).map((part) => (typeof part === 'string' ? part : part.name))
  return `${before}${name}${after} ${rest.join('')}.`
}

const entry = (
  action: AuditAction,
  detail: Record<string, unknown> = {},
  more: Partial<AuditEntry> = {},
): AuditEntry => ({
  id: 'aud_1',
  created_at: '2026-03-02T10:15:30.000Z',
  actor: { kind: 'person', id: 'usr_ada', name: 'Ada Byron' },
  action,
  target_id: 'key_1',
  detail,
  ip: null,
  request_id: null,
  ...more,
})

describe('the audit log in sentences', () => {
  it('has one for every action that the server records, also where an entry holds no details', () => {
    expect(Object.keys(SENTENCES).sort()).toEqual(Object.keys(RECORDED).sort())
    expect(Object.keys(AUDIT_ACTIONS).sort()).toEqual(Object.keys(RECORDED).sort())
    for (const action of Object.keys(RECORDED) as AuditAction[]) {
      const sentence = sentenceText(entry(action))
      expect(sentence, action).toMatch(/^Ada Byron [a-z].{5,}\.$/)
      expect(sentence, action).not.toMatch(/undefined|null|NaN|\[object/)
    }
  })

  it.each<[string, AuditEntry]>([
    [
      'Ada Byron gave the key “Payments” the scope risk:bulk.',
      entry('key.update', {
        from: { name: 'Payments', scopes: ['risk:payment'], expires_at: null },
        to: { name: 'Payments', scopes: ['risk:payment', 'risk:bulk'], expires_at: null },
      }),
    ],
    [
      'Ada Byron took the scopes risk:payment, risk:bulk from the key “Invoices” and renamed the key “Payments” to “Invoices”.',
      entry('key.update', {
        from: { name: 'Payments', scopes: ['risk:payment', 'risk:bulk', 'billing:read'], expires_at: null },
        to: { name: 'Invoices', scopes: ['billing:read'], expires_at: null },
      }),
    ],
    [
      'Eva Lang, for the operator, added £25.00 of credit: An apology.',
      entry(
        'credit.add',
        { pence: 2500, reason: 'An apology' },
        { actor: { kind: 'operator', id: 'usr_eva', name: 'Eva Lang' } },
      ),
    ],
    [
      'The operator disabled the organisation.',
      entry('organisation.disable', {}, { actor: { kind: 'operator', id: 'operator', name: null } }),
    ],
    [
      'The key “Payments” replaced the key “Old”; the old one works for 24 more hours.',
      entry(
        'key.rotate',
        { name: 'Old', grace_hours: 24 },
        { actor: { kind: 'api_key', id: 'key_2', name: 'Payments' } },
      ),
    ],
    [
      'Ada Byron changed the keys of the application “Shop” and had ID tokens for the application “Shop” signed by ES256.',
      entry('client.update', {
        from: { name: 'Shop', jwks_digest: 'a', jwks_uri: null, id_token_signed_response_alg: 'RS256' },
        to: { name: 'Shop', jwks_digest: 'b', jwks_uri: null, id_token_signed_response_alg: 'ES256' },
      }),
    ],
    [
      'Ada Byron ended the former secret of the application “Shop”.',
      entry('client.update', {
        from: { name: 'Shop', former_secret_expires_at: '2026-03-03T10:15:30.000Z' },
        to: { name: 'Shop', former_secret_expires_at: null },
      }),
    ],
    [
      'Ada Byron gave the application “Shop” a new secret; the former one works for 24 more hours.',
      entry('client.rotate_secret', { name: 'Shop', grace_hours: 24 }),
    ],
    [
      'Ada Byron gave the application “Shop” a new secret.',
      entry('client.rotate_secret', { name: 'Shop', grace_hours: 0 }),
    ],
    [
      'Ada Byron gave the application “Shop” a new secret; all its tokens ended.',
      entry('client.rotate_secret', { name: 'Shop', grace_hours: 0, tokens_ended: true }),
    ],
    [
      'Ada Byron joined as viewer.',
      entry('member.join', { name: 'Ada Byron', role: 'viewer' }, { target_id: 'usr_ada' }),
    ],
    [
      'The service stopped answering checks: an invoice is overdue.',
      entry('account.inactive', { reason: 'overdue' }, { actor: { kind: 'system', id: 'system', name: null } }),
    ],
    [
      'Somebody failed to sign in as Ada Byron, 4 times by now.',
      entry(
        'session.fail',
        { name: 'Ada Byron', failures: 4 },
        { actor: { kind: 'system', id: 'somebody', name: null }, target_id: 'usr_ada' },
      ),
    ],
    ['Ada Byron limited the overage to £0.05.', entry('limit.set', { overage_limit_pence: 5 })],
  ])('%s', (sentence, of) => {
    expect(sentenceText(of)).toBe(sentence)
  })

  it('keeps what somebody wrote apart from its own words', () => {
    const parts = predicateOf(entry('key.revoke', { name: '\u202Eelbadaernu' }))
    expect(parts).toEqual(['ended the key “', { name: '\u202Eelbadaernu' }, '”'])
  })
})
