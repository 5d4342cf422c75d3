import { type Attack, attackOf, type Family } from '../attack.ts'
import { OPERATIONS } from '../document.ts'
import { anyOperation, prepare } from '../drafts.ts'
import type { Random } from '../random.ts'
import { someAddress } from '../world.ts'

/** Paths that almost name something, and pages and files around the API. */
export const paths: Family = {
  name: 'paths',
  weight: 2,
  make(random, world): Attack {
    if (random.chance(0.35)) {
      const target = random.chance(0.6) ? random.pick(AROUND) : twist(random, random.pick(AROUND))
      return attackOf(
        {
          method: random.pick(['GET', 'GET', 'GET', 'HEAD', 'POST']),
          target,
          headers: [
            ['Host', random.pick(['localhost', 'localhost', 'a b', '', '%00', '[::1', 'evil.example:1', 'a"b'])],
            ['Accept', random.pick(['*/*', 'text/html', 'application/json'])],
            ['X-Forwarded-For', someAddress(random)],
          ],
        },
        { about: `around the API: ${target.slice(0, 60)}`, target: undefined },
      )
    }
    const operation = anyOperation(random)
    const { draft, caller } = prepare(random, world, operation)
    if (random.chance(0.5)) {
      const withParameter = random.pick(OPERATIONS.filter((one) => one.path.includes('{')))
      const prepared = prepare(random, world, withParameter)
      const value = random.pick(PARAMETERS)
      return attackOf(
        { ...prepared.draft, target: withParameter.path.replace(/\{\w+\}/, value) },
        { about: `the parameter ${value.slice(0, 40)}`, target: undefined, caller: prepared.caller },
      )
    }
    const target = twist(random, draft.target)
    return attackOf({ ...draft, target }, { about: `the path ${target.slice(0, 60)}`, target: undefined, caller })
  },
}

const AROUND: readonly string[] = [
  '/',
  '/docs',
  '/docs/',
  '/docs/openapi.json',
  '/docs/js/scalar.js',
  '/openapi.json',
  '/console',
  '/console/keys',
  '/sign-in',
  '/pricing',
  '/checkout',
  '/invitation',
  '/device',
  '/device/done?outcome=denied',
  '/done?what=%3Cscript%3E',
  `/interaction/${'x'.repeat(43)}`,
  '/assets/none.js',
  '/assets/../../package.json',
  '/assets/%2e%2e%2f%2e%2e%2fpackage.json',
  '/problems/internal',
  '/problems/constructor',
  '/problems/%00',
  '/livez',
  '/readyz',
  '/metrics',
  '/favicon.ico',
  '/robots.txt',
  '/.well-known/security.txt',
  '/.well-known/oauth-protected-resource',
  '/.env',
  '/.git/config',
  '/api/session',
  '/api/device',
  '/api/none',
  '/api/operator/customers',
  '/api/intelligence',
  '/api/samples',
  '/guides/%2e%2e',
  '/v1',
  '/v2/payment-risk',
]

const PARAMETERS: readonly string[] = [
  '%00',
  'a%00b',
  '%2e%2e',
  '..',
  '.',
  '%2f',
  '%252e%252e%252f',
  '%',
  '%zz',
  '%c0%ae',
  '%ff',
  '%ed%a0%80',
  '%F0%9F%92%A9',
  'a;b=c',
  'a%20b',
  '%27%20or%201=1--',
  '__proto__',
  'constructor',
  'null',
  '-1',
  '0',
  '2026-13',
  '2026-00',
  '0000-01',
  '9999-12',
  '99999-01',
  '1969-12',
  '*',
  ':key_id',
  '{key_id}',
  'a,b',
  '@',
  '~',
  'x'.repeat(101),
  'x'.repeat(4000),
  '%61'.repeat(1000),
]

function twist(random: Random, target: string): string {
  const [path = '', query] = target.split('?', 2)
  const rest = query === undefined ? '' : `?${query}`
  return random.make([
    () => `${path}/${rest}`,
    () => `${path}//${rest}`,
    () => `/${path}${rest}`,
    () => `${path.toUpperCase()}${rest}`,
    () => `${path};a=b${rest}`,
    () => `${path}%00${rest}`,
    () => `${path}%20${rest}`,
    () => `${path}%2f${rest}`,
    () => `${path}%3fexplain=true`,
    () => `${path}.json${rest}`,
    () => `/.${path}${rest}`,
    () => `/x/..${path}${rest}`,
    () => `/%2e%2e${path}${rest}`,
    () => `${path}/..${rest}`,
    () => `${path}/%2e${rest}`,
    () => path.replaceAll('/', '\\') + rest,
    () => path.replaceAll('a', '%61') + rest,
    () => path.replaceAll('/', '%2F') + rest,
    () => path.replaceAll('a', '%2561') + rest,
    () => `${path}%${rest}`,
    () => `${path}\xff${rest}`,
    () => `${path}#x`,
    () => `${path}${'/a'.repeat(2000)}`,
    () => path.slice(0, random.int(1, path.length)),
    () => `http://evil.example${path}${rest}`,
  ])
}
