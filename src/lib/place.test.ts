import { expect, it } from 'vitest'
import { createPlaceOf } from './place.ts'

const placeOf = createPlaceOf(({ w3 }) =>
  w3 === 0x09090909
    ? { name: 'Quad9', country: 'CH' }
    : w3 === 0x08080808
      ? { name: 'Google', country: undefined }
      : w3 === 0x01010101
        ? { name: '', country: 'AU' }
        : undefined,
)

it.each([
  ['9.9.9.9', 'Switzerland, Quad9'],
  ['::ffff:9.9.9.9', 'Switzerland, Quad9'],
  ['8.8.8.8', 'Google'],
  ['1.1.1.1', 'Australia'],
  ['4.4.4.4', null],
  ['127.0.0.1', 'this machine or a private network'],
  ['::1', 'this machine or a private network'],
  ['10.1.2.3', 'this machine or a private network'],
  ['fd00::1', 'this machine or a private network'],
  ['not an address', null],
  ['', null],
])('%s is at %s', (ip, place) => {
  expect(placeOf(ip)).toBe(place)
})
