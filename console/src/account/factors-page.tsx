import { ConsolePage } from '../shell/page.tsx'
import { Factors } from './factors.tsx'

export function Component() {
  return (
    <ConsolePage
      title="Second factor"
      lead="With a second factor your password alone opens nothing: whoever learns it still lacks your device."
    >
      <Factors />
    </ConsolePage>
  )
}
