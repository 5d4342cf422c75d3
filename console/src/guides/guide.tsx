import './guides.css'
import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect } from 'react'
import { Link, useLocation, useParams } from 'react-router'
import { Heading } from '../shell/heading.tsx'
import { Loaded } from '../shell/page.tsx'
import { Site } from '../shell/site.tsx'
import { Document } from './document.tsx'
import { findGuide, LISTED, type PublishedGuide } from './published.ts'
import type { GuideDocument } from './tree.ts'

/** One guide, beside the list of all. */
export function Component() {
  const { name } = useParams()
  const guide = findGuide(name)
  return (
    <Site>
      {/* Another guide is another page: its heading takes the focus, and what is unfolded folds. */}
      <div className="site-width guide" key={name}>
        {guide ? <Guide guide={guide} /> : <Unknown />}
      </div>
    </Site>
  )
}

function Guide({ guide }: { guide: PublishedGuide }) {
  const document = useQuery({
    queryKey: ['guide', guide.name],
    queryFn: guide.load,
    // A document is part of the build: it changes with the page, never under it.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return (
    <>
      <GuideNavigation current={guide.name} sections={document.data?.sections ?? []} />
      <article>
        <Heading>{guide.title}</Heading>
        <Loaded query={document} heightPx={400}>
          {({ body }) => (
            <>
              <Document body={body} />
              <GoToPlace />
            </>
          )}
        </Loaded>
      </article>
    </>
  )
}

/** The place that the address names exists only once the document is there: the browser has looked for it before. */
function GoToPlace() {
  const { hash } = useLocation()
  useLayoutEffect(() => {
    // Ids are of ASCII letters: nothing needs decoding, and an odd address leads nowhere.
    if (hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [hash])
  return null
}

function GuideNavigation({ current, sections }: { current: string; sections: GuideDocument['sections'] }) {
  const list = (
    <nav aria-label="Guides">
      {LISTED.map(({ audience, words, guides }) => (
        <div key={audience}>
          <p>{words}</p>
          <ul aria-label={words}>
            {guides.map(({ name, shortTitle }) => (
              <li key={name}>
                <Link to={`/guides/${name}`} aria-current={name === current ? 'page' : undefined}>
                  {shortTitle}
                </Link>
                {name === current && sections.length > 0 ? (
                  <ul>
                    {sections.map(({ id, title: section }) => (
                      <li key={id}>
                        <a href={`#${id}`}>{section}</a>
                      </li>
                    ))}
                  </ul>
                ) : null}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
  return (
    <>
      <div className="guide-beside">{list}</div>
      <details className="guide-above">
        <summary>All guides</summary>
        {list}
      </details>
    </>
  )
}

function Unknown() {
  return (
    <article>
      <Heading>There is no such guide</Heading>
      <p>
        The address may be mistyped. <Link to="/guides">See all guides</Link>.
      </p>
    </article>
  )
}
