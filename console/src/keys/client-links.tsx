import { Button, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Client } from '../api/people.ts'
import { Answers, Dialog } from '../shell/dialog.tsx'
import { useChange } from '../shell/use-change.ts'
import { say } from '../shell/words.ts'

/** The pages of an application that people can read before they allow it anything. */
export interface ClientPages {
  readonly policy_uri: string
  readonly terms_uri: string
}

export const NO_PAGES: ClientPages = { policy_uri: '', terms_uri: '' }

/** An empty field is no page. */
export const pagesToSend = (pages: ClientPages) => ({
  policy_uri: pages.policy_uri.trim() || null,
  terms_uri: pages.terms_uri.trim() || null,
})

export function PageFields({
  pages,
  onChange,
  problemAt,
}: {
  pages: ClientPages
  onChange: (pages: ClientPages) => void
  problemAt: (pointer: string) => string | undefined
}) {
  const field = (name: keyof ClientPages, label: string) => ({
    label,
    type: 'url',
    inputMode: 'url' as const,
    placeholder: 'https://',
    maxLength: 1000,
    value: pages[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...pages, [name]: event.currentTarget.value }),
    error: problemAt(`/${name}`),
  })
  return (
    <>
      <TextInput {...field('policy_uri', 'Privacy policy')} description="Linked where people are asked to allow it." />
      <TextInput {...field('terms_uri', 'Terms')} description="Linked there as well." />
    </>
  )
}

export function EditPages({ client }: { client: Client }) {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpened(true)}>
        Pages
      </Button>
      <Dialog opened={opened} title={say`Pages of ${client.name}`} onClose={() => setOpened(false)}>
        <Form client={client} onClose={() => setOpened(false)} />
      </Dialog>
    </>
  )
}

function Form({ client, onClose }: { client: Client; onClose: () => void }) {
  const [pages, setPages] = useState<ClientPages>({
    policy_uri: client.policy_uri ?? '',
    terms_uri: client.terms_uri ?? '',
  })
  const change = useChange(async (own, wanted: ReturnType<typeof pagesToSend>) => {
    const path = { client_id: client.id }
    const { etag } = await own.callForVersion('GET /v1/organisation/clients/{client_id}', { path })
    await own.call('PATCH /v1/organisation/clients/{client_id}', {
      path,
      body: wanted,
      headers: { 'if-match': etag ?? '' },
    })
    onClose()
  })
  const save = () => change.submit(pagesToSend(pages))
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    save()
  }
  return (
    <form onSubmit={onSubmit} noValidate aria-label="Pages">
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          People read these before they let the application act for them. Leave a field empty to link nothing.
        </Text>
        <PageFields
          pages={pages}
          onChange={setPages}
          problemAt={(pointer) => change.error?.errors.find((one) => one.pointer === pointer)?.detail}
        />
        <Answers submission={change} yes="Keep them" no="Leave it" onYes={save} onNo={onClose} />
      </Stack>
    </form>
  )
}
