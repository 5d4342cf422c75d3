import Type from 'typebox'
import type { ChangeDependencies } from '../../http/change.ts'
import { NoFields, operatorChange, type PageOperation, texts } from '../../http/page-operation.ts'
import { resetPassword } from './changes.ts'
import { hashPassword, newPassword } from './passwords.ts'

export interface PersonActsDependencies extends ChangeDependencies {
  /** Called after the commit, so that every node drops its cache. */
  readonly onPeopleChanged: () => Promise<void>
}

/** Operator actions on people. */
export function personActs(deps: PersonActsDependencies): PageOperation[] {
  return [
    operatorChange(deps, {
      name: 'POST /api/operator/people/{person_id}/reset-password',
      body: NoFields,
      answer: Type.Object(texts('id', 'email', 'password')),
      async prepare() {
        const password = newPassword()
        return { password, passwordHash: await hashPassword(password) }
      },
      async handle(tx, { params, by, prepared }) {
        const person = await resetPassword(tx, params.person_id, prepared.passwordHash, by)
        return { id: person.id, email: person.email, password: prepared.password }
      },
      after: deps.onPeopleChanged,
    }),
  ]
}
