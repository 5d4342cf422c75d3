import './guides.css'
import { Text } from '@mantine/core'
import { Link } from 'react-router'
import { Heading } from '../shell/heading.tsx'
import { REFERENCE, Site } from '../shell/site.tsx'
import { LISTED } from './published.ts'

/** Every guide, by whom it is for. */
export function Component() {
  return (
    <Site>
      <div className="site-width guides-list">
        <Heading>Guides</Heading>
        <Text c="dimmed" mt={6} maw="38rem">
          How to use Assay, build on it and run it. Every operation, field and error is in the{' '}
          <a href={REFERENCE}>API reference</a>.
        </Text>
        {LISTED.map(({ audience, words, guides }) => (
          <section key={audience} aria-labelledby={`for-${audience}`}>
            <h2 id={`for-${audience}`}>{words}</h2>
            <ul>
              {guides.map(({ name, shortTitle, about }) => (
                <li key={name}>
                  <Link to={`/guides/${name}`}>{shortTitle}</Link>
                  <span>{about}</span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Site>
  )
}
