import { ConsolePage, Panel } from '../shell/page.tsx'
import { ProofSteps } from '../shell/prove-again.tsx'
import { useOrganisation, useSession } from '../shell/use-session.ts'
import { Factors } from './factors.tsx'

/** Replaces every page of an organisation that requires a second factor, until the person has added one. */
export function FactorGate() {
  const { name } = useOrganisation()
  const ways = useSession().second_factor?.ways ?? []
  const next =
    ways.length > 0
      ? 'You signed in without yours: confirm with it now, and go on.'
      : 'Add a passkey or one-time codes here. Then you go on where you were.'
  return (
    <ConsolePage
      title="A second factor is needed"
      lead={
        <>
          <bdi>{name}</bdi> requires one of its members. {next}
        </>
      }
    >
      {ways.length > 0 ? (
        <Panel title="Confirm">
          <ProofSteps password={false} label="Confirm with the second factor" onProved={() => {}} />
        </Panel>
      ) : (
        <Factors />
      )}
    </ConsolePage>
  )
}
