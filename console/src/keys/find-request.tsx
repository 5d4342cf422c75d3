import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../api/client.ts'
import { Form, useFields } from '../shell/form.tsx'
import { moment, money } from '../shell/format.ts'
import { DescriptionList, Panel, QuietButton } from '../shell/page.tsx'
import { useFile } from '../shell/use-session.ts'

type Name = 'GET /v1/requests/{request_id}' | 'GET /api/operator/requests/{request_id}'

/** Finds an answered request by the id that an error shows: one of the organisation, or any for the operator. */
export function FindRequest({ name }: { name: Name }) {
  const { values, field } = useFields({ id: '' })
  const [found, setFound] = useState<Answer<Name>>()
  const search = useFile(async (api, id: string) => {
    setFound(undefined)
    setFound(await api.call(name, { path: { request_id: id } }))
  })
  const id = values.id.trim()
  return (
    <Panel
      title="Find a request"
      lead="Every error shows the id of its request. Answered requests of the API, also refused ones, are kept for 30 days."
    >
      <Form label="Find a request" row error={search.error} onSubmit={() => id !== '' && search.submit(id)}>
        <TextInput label="Request id" placeholder="req_…" maxLength={64} w="18rem" {...field('id')} />
        <QuietButton type="submit" size="sm" loading={search.busy} label="Find" />
      </Form>
      <div role="status">{found ? <RequestFound request={found} /> : null}</div>
    </Panel>
  )
}

function RequestFound({ request }: { request: Answer<Name> }) {
  const { called_by: by, credential_id: credential, organisation_id: organisation, code, price_pence: price } = request
  return (
    <DescriptionList
      of={{
        Time: moment(request.at),
        Request: `${request.method} ${request.route}`,
        Answer: code === null ? request.status : `${request.status} ${code}`,
        Price: price === null ? 'nothing was charged' : money(price),
        Organisation: organisation ?? 'unknown',
        Caller: by === null ? 'unknown' : `${by.replace('_', ' ')} ${credential}`,
        Person: request.person_id,
        Took: `${request.duration_ms} ms`,
      }}
    />
  )
}
