import { type Finding, NOTHING, type Signal, withoutPlus } from './signal.ts'

export const emailRoleAccount = {
  code: 'email.role_account',
  description: 'Names a function such as billing or support rather than a person',
  group: 'note',
  detect: ({ local, models }): readonly Finding[] =>
    models.roles.get(withoutPlus(local)) ? [{ source: 'rules', confidence: 1 }] : NOTHING,
} satisfies Signal<'email'>
