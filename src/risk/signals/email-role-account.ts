import { type Finding, NOTHING, type Signal } from '../signal.ts'

export const emailRoleAccount = {
  code: 'email.role_account',
  description: 'Names a function such as billing or support rather than a person',
  group: 'note',
  detect: ({ local, models }): readonly Finding[] => {
    const plus = local.indexOf('+')
    const base = plus > 0 ? local.slice(0, plus) : local
    return models.roles.has(base) ? [{ source: 'rules', confidence: 1 }] : NOTHING
  },
} satisfies Signal<'email'>
