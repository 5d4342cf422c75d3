import { Anchor, Divider, Text } from '@mantine/core'
import { BASE_PATH } from '../api/client.ts'
import { RequestId } from '../shell/page.tsx'
import { Sheet } from '../shell/sheet.tsx'
import advice from './advice.json' with { type: 'json' }
import { readServerError, UNKNOWN } from './server-error.ts'

interface Advice {
  readonly title: string
  readonly lead: string
  readonly way?: { readonly label: string; readonly path: string }
}

/** For the person, by error code; details for the maker of the application are shown below. */
const ADVICE: Readonly<Record<string, Advice>> = advice

export function Component() {
  const error = readServerError(document) ?? UNKNOWN
  const { title, lead, way } = (Object.hasOwn(ADVICE, error.code) && ADVICE[error.code]) || (advice.otherwise as Advice)
  return (
    <Sheet outcome="failed" title={title} lead={lead}>
      {way ? (
        <Text>
          <Anchor href={BASE_PATH + way.path}>{way.label}</Anchor>
        </Text>
      ) : null}
      <section aria-label="For the developer of the application">
        <Divider mb="md" />
        <Text size="sm" fw={600}>
          For the developer of the application
        </Text>
        <Text size="sm" mt={4}>
          <span className="mono">{error.code}</span>: {error.detail}
        </Text>
        {error.requestId ? <RequestId id={error.requestId} /> : null}
      </section>
    </Sheet>
  )
}
