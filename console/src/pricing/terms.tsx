import { Anchor, Checkbox, type CheckboxProps, Text } from '@mantine/core'
import type { Offer } from '../api/organisation.ts'

/** The operator's terms to accept and the privacy notice, as far as they are set. */
export function Terms({ offer, ...box }: CheckboxProps & { offer: Offer }) {
  return (
    <>
      {offer.terms ? (
        <Checkbox
          label={
            <>
              I accept the <Elsewhere href={offer.terms.url}>terms of the service</Elsewhere> (version{' '}
              {offer.terms.version})
            </>
          }
          {...box}
        />
      ) : null}
      {offer.privacy_url === null ? null : (
        <Text size="sm">
          How your data is used: <Elsewhere href={offer.privacy_url}>privacy notice</Elsewhere>
        </Text>
      )}
    </>
  )
}

/** In another tab: the form stays as it is. */
function Elsewhere(props: { href: string; children: string }) {
  return <Anchor inherit target="_blank" rel="noreferrer" {...props} />
}
