import { TextInput, type TextInputProps } from '@mantine/core'
import type { Client } from '../api/organisation.ts'
import { Answers, Form, useFields } from '../shell/form.tsx'
import { Quiet } from '../shell/page.tsx'
import { useChange } from '../shell/use-session.ts'

export const NO_PAGES = { policy_uri: '', terms_uri: '' }

type Pages = typeof NO_PAGES

export const pagesToSend = ({ policy_uri, terms_uri }: Pages) => ({
  policy_uri: policy_uri.trim() || null,
  terms_uri: terms_uri.trim() || null,
})

export function PageFields({ field }: { field: (name: keyof Pages) => TextInputProps }) {
  const shared = { type: 'url', inputMode: 'url', placeholder: 'https://', maxLength: 1000 } as const
  return (
    <>
      <TextInput
        label="Privacy policy"
        description="Linked on the consent page."
        {...shared}
        {...field('policy_uri')}
      />
      <TextInput label="Terms" description="Linked on the consent page." {...shared} {...field('terms_uri')} />
    </>
  )
}

export function EditPages({ client, onClose }: { client: Client; onClose: () => void }) {
  const { values, field } = useFields({ policy_uri: client.policy_uri ?? '', terms_uri: client.terms_uri ?? '' })
  const change = useChange(async (own, wanted: ReturnType<typeof pagesToSend>) => {
    const path = { client_id: client.id }
    const { etag } = await own.callForVersion('GET /v1/organisation/clients/{client_id}', { path })
    const headers = { 'if-match': etag ?? '' }
    await own.call('PATCH /v1/organisation/clients/{client_id}', { path, body: wanted, headers })
    onClose()
  })
  const save = () => change.submit(pagesToSend(values))
  return (
    <Form label="Pages" onSubmit={save}>
      <Quiet>People can read these pages before they allow the application. Leave a field empty to link nothing.</Quiet>
      <PageFields field={(name) => field(name, change.error)} />
      <Answers submission={change} yes="Keep them" onYes={save} onNo={onClose} />
    </Form>
  )
}
