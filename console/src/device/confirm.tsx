import { Paper, Text } from '@mantine/core'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { leaveTo, server, withCsrf } from '../api/client.ts'
import type { DeviceRequest } from '../api/generated/pages.ts'
import { Asked, type Decision, DecisionButtons, Owner } from '../interaction/asker.tsx'
import { ago, moment } from '../shell/format.ts'
import { DescriptionList, PageLink, ProblemNotice } from '../shell/page.tsx'
import { LoadedPage, Sheet } from '../shell/sheet.tsx'
import { useSubmit } from '../shell/use-session.ts'
import { useDeviceForm } from './enter.tsx'

export function Component() {
  // Passed by the code entry page; the browser keeps it over a reload.
  const device = useLocation().state as DeviceRequest | null
  const form = useDeviceForm()
  if (device === null) return <Navigate to="/device" replace />
  return <LoadedPage query={form}>{({ csrf }) => <Confirm device={device} csrf={csrf} />}</LoadedPage>
}

function Confirm({ device, csrf }: { device: DeviceRequest; csrf: string }) {
  const navigate = useNavigate()
  const { submit, busy, error } = useSubmit(async (next: Decision) => {
    const body = { user_code: device.user_code, decision: next }
    const answer = await server.call('POST /api/device/confirm', { body, ...withCsrf(csrf) })
    if ('redirect_to' in answer) await leaveTo(answer.redirect_to)
    else await navigate('/device/done?outcome=denied', { replace: true })
  })
  return (
    <Sheet
      title="Is this your device?"
      lead={
        <>
          <strong>
            <bdi>{device.client.name}</bdi>
          </strong>{' '}
          wants to connect. <Owner client={device.client} />. It must show exactly this code:
        </>
      }
    >
      <Paper className="panel user-code" p="sm">
        {device.user_code}
      </Paper>
      <Asker device={device} />
      <Asked asked={device.asked} who={device.client.name} />
      <Text size="sm">
        Continue only if you see this code on a device that you are using now. If somebody sent you the code or a link,
        refuse.
      </Text>
      <ProblemNotice error={error} />
      {error?.status === 404 ? <PageLink to="/device">Type another code</PageLink> : null}
      <DecisionButtons allowLabel="Yes, continue" busy={busy} onDecide={submit} />
    </Sheet>
  )
}

/** The place, time and program of the request: they reveal a device that belongs to somebody else. */
function Asker({ device: { request } }: { device: DeviceRequest }) {
  return (
    <DescriptionList
      of={{
        'Asked from': (
          <>
            {request.address === null ? 'an unknown address' : <bdi className="mono">{request.address}</bdi>}
            {request.place === null ? null : ', '}
            <bdi>{request.place}</bdi>
          </>
        ),
        When: (
          <time dateTime={request.at} title={moment(request.at)}>
            {ago(request.at)}
          </time>
        ),
        With: <bdi>{request.program}</bdi>,
      }}
    />
  )
}
