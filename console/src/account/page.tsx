import { useContext } from 'react'
import { ConsolePage } from '../shell/page.tsx'
import { OrganisationContext } from '../shell/use-organisation.ts'
import { Applications } from './applications.tsx'
import { Factors } from './factors.tsx'
import { Organisations } from './organisations.tsx'
import { Password } from './password.tsx'
import { Profile } from './profile.tsx'
import { Sessions } from './sessions.tsx'

/** What is the person's own, wherever they work. */
export function Component() {
  return (
    <ConsolePage
      title="Your account"
      lead="How you sign in, where you are signed in, what you let applications do, and where you belong."
    >
      <Profile />
      <Password />
      <Factors />
      <Sessions />
      <WithOrganisation />
      <Organisations />
    </ConsolePage>
  )
}

/** Who belongs to no organisation has let no application do anything. */
function WithOrganisation() {
  if (useContext(OrganisationContext) === undefined) return null
  return <Applications />
}
