import { Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { ONCE, server } from '../api/client.ts'
import type { ErasureClaims, ReceiptClaims } from '../api/generated/pages.ts'
import { Form, SubmitButton, useFields } from '../shell/form.tsx'
import { moment, money } from '../shell/format.ts'
import { DescriptionList, Quiet, QuietButton } from '../shell/page.tsx'
import { Sheet } from '../shell/sheet.tsx'
import { useSubmit } from '../shell/use-session.ts'

const CHARACTERS_MAX = 8192
/** A link as in the QR code is as good as the receipt in it. */
const bare = (text: string) => text.trim().replace(/^https?:\/\/\S*#/, '')

/** Verifies the receipt of a check, for anybody: pasted, from a file, or in the link of a QR code. */
export function Component() {
  const linked = useLocation().hash.slice(1)
  const { values, field, set } = useFields({ receipt: linked, indicator: '' })
  const [verified, setVerified] = useState<Awaited<ReturnType<typeof ask>>>()
  const file = useRef<HTMLInputElement>(null)
  const submission = useSubmit(async (text: string) => setVerified(await ask(bare(text), values.indicator)))
  const { submit } = submission
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each link.
  useEffect(() => {
    if (linked !== '') submit(linked)
  }, [linked])

  async function take(chosen: File | undefined): Promise<void> {
    if (!chosen) return
    const text = (await chosen.slice(0, CHARACTERS_MAX).text()).trim()
    set('receipt', text)
    submit(text)
  }

  return (
    <Sheet
      title="Verify a receipt"
      lead="A receipt proves what this service answered, when, and at what price; or what it erased. It does not show the indicator."
    >
      <Form label="Verify a receipt" error={submission.error} onSubmit={() => submit(values.receipt)}>
        <Stack
          gap="md"
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault()
            void take(event.dataTransfer.files[0])
          }}
        >
          <Textarea
            label="Receipt"
            description="Paste it, or drop the file here."
            required
            rows={5}
            maxLength={CHARACTERS_MAX}
            spellCheck={false}
            classNames={{ input: 'mono' }}
            {...field('receipt')}
          />
          <TextInput
            label="Indicator, if you know it"
            description="Shows if the receipt is about this email address, domain or IP address."
            maxLength={1024}
            autoComplete="off"
            spellCheck={false}
            {...field('indicator')}
          />
          <Group>
            <SubmitButton submission={submission} label="Verify" />
            <QuietButton onClick={() => file.current?.click()} label="Choose a file" />
            <input
              ref={file}
              type="file"
              hidden
              accept=".jws,.txt"
              aria-label="Receipt file"
              onChange={(event) => void take(event.currentTarget.files?.[0])}
            />
          </Group>
        </Stack>
      </Form>
      <div role="status">{verified ? <Result {...verified} /> : null}</div>
    </Sheet>
  )
}

const ask = (receipt: string, indicator: string) =>
  server.call('POST /api/receipts/verify', {
    body: { receipt, ...(indicator.trim() === '' ? {} : { indicator }) },
    ...ONCE,
  })

function Result({ claims, erasure, reason, about_indicator: about }: Awaited<ReturnType<typeof ask>>) {
  if (erasure) {
    return (
      <Stack gap="sm">
        <Text fw={600}>This receipt of an erasure is genuine.</Text>
        <DescriptionList of={factsOfErasure(erasure)} />
      </Stack>
    )
  }
  if (!claims) {
    return (
      <Stack gap="xs">
        <Text fw={600}>This receipt is not genuine.</Text>
        <Text size="sm">{reason}</Text>
      </Stack>
    )
  }
  return (
    <Stack gap="sm">
      <Text fw={600}>This receipt is genuine.</Text>
      {about === null ? null : (
        <Text size="sm">{about ? 'It is about this indicator.' : 'It is about another indicator.'}</Text>
      )}
      <DescriptionList of={factsOf(claims)} />
      {claims.signals_left_out ? (
        <Quiet>{claims.signals_left_out} weaker signals did not fit. The receipt file has them all.</Quiet>
      ) : null}
    </Stack>
  )
}

const factsOf = ({ price, decision, ...claims }: ReceiptClaims) => ({
  Risk: `${claims.risk} (${claims.risk_score})`,
  Asked: moment(claims.asked_at),
  Kind: claims.kind,
  Check: <span className="mono breakable">{claims.jti}</span>,
  Organisation: <span className="mono breakable">{claims.sub}</span>,
  Signals: claims.signals.map(({ code, effect }) => `${code} ${effect}`).join(', ') || 'none',
  Intelligence: claims.intelligence,
  Price: price.is_free ? 'free' : money(price.total_price_pence),
  Decision: decision ? `${decision.decision.replace('_', ' ')}, ${moment(decision.at)}` : null,
  'Answered by': claims.iss,
})

const factsOfErasure = ({ erased, kept, ...claims }: ErasureClaims) => ({
  Erased: `${claims.kind} ${claims.sub}, ${moment(claims.erased_at)}`,
  Requested: moment(claims.requested_at),
  Rows: Object.entries(erased)
    .map(([table, rows]) => `${table} ${rows}`)
    .join(', '),
  Kept: kept
    .map(({ what, why, until }) => `${what}${until === null ? '' : `, until ${moment(until)}`}: ${why}`)
    .join(' '),
  Receipt: <span className="mono breakable">{claims.jti}</span>,
  'Erased by': claims.iss,
})
