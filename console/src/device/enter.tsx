import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { publicQuery, server, withCsrf } from '../api/client.ts'
import { Form, SubmitButton } from '../shell/form.tsx'
import { LoadedPage, Sheet } from '../shell/sheet.tsx'
import { useSubmit } from '../shell/use-session.ts'
import { readUserCode } from './user-code.ts'

export function Component() {
  return <LoadedPage query={useDeviceForm()}>{({ csrf }) => <EnterCode csrf={csrf} />}</LoadedPage>
}

function EnterCode({ csrf }: { csrf: string }) {
  const [search] = useSearchParams()
  const linked = search.get('user_code') ?? ''
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const [mistyped, setMistyped] = useState(false)
  const submission = useSubmit(async (userCode: string) => {
    const body = { user_code: userCode }
    const device = await server.call('POST /api/device/lookup', { body, ...withCsrf(csrf) })
    await navigate('/device/confirm', { state: device })
  })
  const { submit, error } = submission

  useLayoutEffect(() => {
    input.current?.focus()
  }, [])
  useLayoutEffect(() => {
    if (error) input.current?.select()
  }, [error])

  function send(): void {
    const userCode = readUserCode(input.current?.value ?? '')
    setMistyped(userCode === undefined)
    if (userCode === undefined) input.current?.focus()
    else submit(userCode)
  }

  return (
    <Sheet
      title="Connect a device"
      lead={
        linked === ''
          ? 'Type the code that your device or command line shows.'
          : 'Check that this is the code your device or command line shows.'
      }
    >
      <Form label="Connect a device" error={error} onSubmit={send}>
        <TextInput
          ref={input}
          label="Code"
          name="user_code"
          size="lg"
          placeholder="BCDF-GHJK"
          defaultValue={readUserCode(linked) ?? linked.slice(0, 32)}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={32}
          classNames={{ input: 'user-code' }}
          error={mistyped ? 'The code has eight letters, for example BCDF-GHJK.' : undefined}
        />
        <SubmitButton submission={submission} label="Continue" />
      </Form>
    </Sheet>
  )
}

/** The csrf value of the device pages (RFC 8628), shared by code entry and confirmation. */
export const useDeviceForm = () => useQuery({ ...publicQuery('GET /api/device'), staleTime: Number.POSITIVE_INFINITY })
