import { liveNote } from '@assay/sdk'
import { expect, it } from 'vitest'
import { HELD_BACK } from '../../src/live/facts.ts'

it('says why facts are missing, in words, and keeps quiet about a reason of a later service', () => {
  expect(liveNote({ status: 'complete' })).toBeUndefined()
  expect(liveNote({ status: 'partial' })).toMatch(/^Some facts were not available, or not in time\. A new check/)
  expect(liveNote({ status: 'partial', held_back: ['zone_limit', 'queue_full'] })).toMatch(
    /: your organisation asked about many names of this zone; too many look-ups of your organisation wait\. /,
  )
  for (const reason of HELD_BACK)
    expect(liveNote({ status: 'partial', held_back: [reason] })).not.toMatch(/undefined|_/)
  expect(liveNote({ status: 'partial', held_back: ['moon_phase' as 'queue_full'] })).toMatch(/, or not in time/)
})
