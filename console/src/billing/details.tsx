import { Group, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Details } from '../api/billing.ts'
import { readQuery } from '../api/organisation.ts'
import { QuietButton } from '../shell/buttons.tsx'
import { Form, useFields } from '../shell/form.tsx'
import { Facts, Loaded, Panel, Quiet } from '../shell/page.tsx'
import { useChange } from '../shell/use-change.ts'
import { useApi, useOrganisation } from '../shell/use-session.ts'

export function InvoiceDetails({ mayManage }: { mayManage: boolean }) {
  const details = useQuery(readQuery(useApi(), 'GET /v1/billing/details'))
  return (
    <Panel title="Details on invoices">
      <Loaded query={details}>{(data) => (mayManage ? <Edit saved={data} /> : <Shown details={data} />)}</Loaded>
    </Panel>
  )
}

function Shown({ details }: { details: Details }) {
  const { name } = useOrganisation()
  return (
    <Facts
      of={{
        Name: <bdi>{details.name ?? name}</bdi>,
        Address: <span className="as-written">{details.address ?? 'None'}</span>,
        'Tax number': details.tax_id ?? 'None',
      }}
    />
  )
}

const orNull = (text: string) => text.trim() || null

function Edit({ saved }: { saved: Details }) {
  const organisation = useOrganisation()
  const { values, field } = useFields({
    name: saved.name ?? '',
    address: saved.address ?? '',
    tax_id: saved.tax_id ?? '',
  })
  const [done, setDone] = useState<typeof values>()
  const { submit, busy, error } = useChange(async (api, body: Details, idempotencyKey) => {
    await api.call('PUT /v1/billing/details', { body, idempotencyKey })
    setDone(values)
  })
  return (
    <Form
      label="Details on invoices"
      maw={480}
      error={error?.errors.length === 0 ? error : undefined}
      failed="Nothing was saved"
      onSubmit={() =>
        submit({ name: orNull(values.name), address: orNull(values.address), tax_id: orNull(values.tax_id) })
      }
    >
      <Quiet>Invoices to come and those still open show this. Paid ones stay as they were.</Quiet>
      <TextInput
        label="Name"
        placeholder={organisation.name}
        autoComplete="organization"
        maxLength={200}
        {...field('name', error)}
      />
      <Textarea
        label="Address"
        autoComplete="street-address"
        autosize
        minRows={3}
        maxRows={8}
        maxLength={1000}
        {...field('address', error)}
      />
      <TextInput label="Tax number" maxLength={64} {...field('tax_id', error)} />
      <Group gap="md">
        <QuietButton type="submit" loading={busy}>
          Save the details
        </QuietButton>
        <Text role="status" size="sm">
          {done === values && !busy ? 'Saved.' : ''}
        </Text>
      </Group>
    </Form>
  )
}
