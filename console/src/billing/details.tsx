import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type Details, detailsQuery } from '../api/billing.ts'
import { Loaded, Panel } from '../shell/page.tsx'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { useChange } from '../shell/use-change.ts'
import { useApi, useOrganisation } from '../shell/use-organisation.ts'

/** Whom invoices are addressed to. */
export function InvoiceDetails({ mayManage }: { mayManage: boolean }) {
  const details = useQuery(detailsQuery(useApi()))
  return (
    <Panel title="Details on invoices">
      <Loaded query={details}>{(data) => (mayManage ? <Form saved={data} /> : <Shown details={data} />)}</Loaded>
    </Panel>
  )
}

function Shown({ details }: { details: Details }) {
  const { name } = useOrganisation()
  return (
    <dl className="facts">
      <dt>Name</dt>
      <dd>
        <bdi>{details.name ?? name}</bdi>
      </dd>
      <dt>Address</dt>
      <dd className="bank-details">{details.address ?? 'None'}</dd>
      <dt>Tax number</dt>
      <dd>{details.tax_id ?? 'None'}</dd>
    </dl>
  )
}

type Field = keyof Details

function Form({ saved }: { saved: Details }) {
  const organisation = useOrganisation()
  const [form, setForm] = useState({
    name: saved.name ?? '',
    address: saved.address ?? '',
    tax_id: saved.tax_id ?? '',
  })
  const [done, setDone] = useState(false)
  const { submit, busy, error } = useChange(async (api, body: Details, idempotencyKey) => {
    await api.call('PUT /v1/billing/details', { body, idempotencyKey })
    setDone(true)
  })
  const field = (name: Field) => ({
    name,
    value: form[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setDone(false)
      setForm((now) => ({ ...now, [name]: value }))
    },
    error: error?.errors.find(({ pointer }) => pointer === `/${name}`)?.detail,
  })
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    setDone(false)
    const orNull = (text: string) => (text.trim() === '' ? null : text.trim())
    submit({ name: orNull(form.name), address: orNull(form.address), tax_id: orNull(form.tax_id) })
  }
  return (
    <form onSubmit={onSubmit} noValidate aria-label="Details on invoices">
      <Stack gap="md" maw={480}>
        <Text size="sm" c="dimmed">
          Invoices to come and those still open show this. Paid ones stay as they were.
        </Text>
        {error && error.errors.length === 0 ? <ProblemNotice error={error} title="Nothing was saved" /> : null}
        <TextInput
          label="Name"
          placeholder={organisation.name}
          autoComplete="organization"
          maxLength={200}
          {...field('name')}
        />
        <Textarea
          label="Address"
          autoComplete="street-address"
          autosize
          minRows={3}
          maxRows={8}
          maxLength={1000}
          {...field('address')}
        />
        <TextInput label="Tax number" maxLength={64} {...field('tax_id')} />
        <Group gap="md">
          <Button type="submit" variant="default" loading={busy}>
            Save the details
          </Button>
          <Text role="status" size="sm">
            {done && !busy ? 'Saved.' : ''}
          </Text>
        </Group>
      </Stack>
    </form>
  )
}
