import { ConsolePage } from '../shell/page.tsx'
import { Organisations } from './organisations.tsx'
import { Password } from './password.tsx'
import { Profile } from './profile.tsx'
import { Sessions } from './sessions.tsx'

/** What is the person's own, wherever they work. */
export function Component() {
  return (
    <ConsolePage title="Your account" lead="How you sign in, where you are signed in, and where you belong.">
      <Profile />
      <Password />
      <Sessions />
      <Organisations />
    </ConsolePage>
  )
}
