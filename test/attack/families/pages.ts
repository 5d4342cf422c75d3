import { type Attack, attackOf, demand, type Family } from '../attack.ts'
import type { Random } from '../random.ts'
import type { Answer, Draft, Headers } from '../wire.ts'
import { keep, MARK, plantedEmail, someAddress, type World } from '../world.ts'
import { oddValue } from './bodies.ts'

/** The routes of the pages: sessions, sign-ins and devices, without the page's token, with forged cookies, with any JSON. */
export const pages: Family = {
  name: 'pages',
  weight: 2,
  make(random, world): Attack {
    const { victim } = world
    const tenant = random.pick(world.attackers)
    if (random.chance(0.3)) return insideSignIn(random, world) ?? onDevicePage(random, world)
    const uid = random.pick(['x'.repeat(43), random.letters(43), '%00', 'x', '..', '__proto__'])
    const [method, path, body] = random.pick<readonly [string, string, () => unknown]>([
      ['GET', '/api/session', () => undefined],
      ['DELETE', '/api/session', () => undefined],
      // Each of these costs the server a password's worth of work.
      ...(random.chance(0.1)
        ? ([
            [
              'POST',
              '/api/session',
              () => ({ email: random.pick([victim.person.email, plantedEmail(random)]), password: `${MARK} guess` }),
            ],
          ] as const)
        : []),
      ['POST', '/api/session', () => ({ email: oddValue(random), password: null })],
      ['POST', '/api/session', () => oddValue(random)],
      ['GET', `/api/interaction/${uid}`, () => undefined],
      ['POST', `/api/interaction/${uid}/login`, () => ({ email: victim.person.email, password: `${MARK} guess` })],
      [
        'POST',
        `/api/interaction/${uid}/consent`,
        () => ({ decision: 'allow', organisation_id: victim.organisationId }),
      ],
      ['GET', '/api/device', () => undefined],
      [
        'POST',
        '/api/device/lookup',
        () => ({
          user_code: random.pick([
            'BCDF-GHJK',
            random.letters(8, 'BCDFGHJKLMNPQRSTVWXZ'),
            '',
            '\0',
            'é'.repeat(8),
            'x'.repeat(41),
          ]),
        }),
      ],
      [
        'POST',
        '/api/device/confirm',
        () => ({
          user_code: random.letters(8, 'BCDFGHJKLMNPQRSTVWXZ'),
          decision: random.pick(['allow', 'deny', 'x', null]),
        }),
      ],
      ['GET', '/api/intelligence', () => undefined],
      ['GET', '/api/operator/organisations', () => undefined],
      ['GET', `/api/operator/organisations/${victim.organisationId}`, () => undefined],
      [
        'POST',
        `/api/operator/organisations/${victim.organisationId}/${random.pick(['disable', 'credit', 'approve'])}`,
        () => random.pick<unknown>([{}, { pence: 1, reason: MARK }, oddValue(random)]),
      ],
      ['POST', `/api/operator/people/${uid}/reset-password`, () => ({})],
    ])
    const value = body()
    const signedIn: Headers = [['Cookie', tenant.session.cookie]]
    // Never a session together with its token: then these would be requests of the pages, and sign the tenant out.
    const cookies = random.make<Headers>([
      () => [],
      () => (method === 'GET' || path !== '/api/session' ? signedIn : []),
      () => [
        ...signedIn,
        [
          'X-Csrf-Token',
          random.pick(['', 'x', victim.session.csrf, 'é', tenant.session.csrf.slice(0, -1), 'x'.repeat(5000)]),
        ],
      ],
      () => [
        ['Cookie', forgedCookies(random, uid)],
        ['X-Csrf-Token', random.pick([tenant.session.csrf, 'x'])],
      ],
    ])
    const read = method === 'GET'
    return attackOf(
      {
        method,
        target: path,
        headers: [
          ['Host', 'localhost'],
          ['X-Forwarded-For', someAddress(random)],
          ...(random.chance(0.2)
            ? ([['Origin', random.pick(['https://evil.example', 'null', 'a b', world.baseUrl])]] as const)
            : []),
          ...cookies,
          ...(value === undefined
            ? []
            : ([['Content-Type', random.chance(0.9) ? 'application/json' : 'text/plain']] as const)),
        ],
        ...(value === undefined ? {} : { body: Buffer.from(JSON.stringify(value) ?? '') }),
      },
      {
        about: `${method} ${path.slice(0, 40)} of the pages`,
        target: undefined,
        caller: tenant,
        ...(read
          ? {}
          : { judge: demand('nothing is done without the token of the page', ({ status }) => status >= 400) }),
      },
    )
  },
}

const page = (random: Random, method: string, target: string, own: Headers, value?: unknown): Draft => ({
  method,
  target,
  headers: [
    ['Host', 'localhost'],
    ['X-Forwarded-For', someAddress(random)],
    ...own,
    ...(value === undefined ? [] : ([['Content-Type', 'application/json']] as const)),
  ],
  ...(value === undefined ? {} : { body: Buffer.from(JSON.stringify(value)) }),
})

/** On the page of a sign-in that was really begun, with its cookie and its token, but without the right password. */
function insideSignIn(random: Random, world: World): Attack | undefined {
  const begun = world.learned.signIns.at(-1)
  if (!begun) return undefined
  const path = `/api/interaction/${begun.uid}`
  const about = 'inside a sign-in'
  const caller = begun.tenant
  const cookie = ['Cookie', begun.cookie] as const
  if (begun.csrf === '' || random.chance(0.3)) {
    const learn = ({ json }: Answer) => {
      begun.csrf = String(Object(json).csrf ?? '')
    }
    return attackOf(page(random, 'GET', path, [cookie]), { about, target: undefined, caller, learn })
  }
  const own: Headers = [cookie, ['X-Csrf-Token', begun.csrf]]
  const [step, value] = random.make<readonly [string, unknown]>([
    () => ['login', { email: oddValue(random), password: random.pick([null, 1, '', '\0']) }],
    () => ['login', oddValue(random)],
    () => ['consent', { decision: random.pick(['allow', oddValue(random)]), organisation_id: victimOr(random, world) }],
  ])
  return attackOf(page(random, 'POST', `${path}/${step}`, own, value), {
    about,
    target: undefined,
    caller,
    judge: demand('nobody is signed in', ({ status }) => status >= 400),
  })
}

const victimOr = (random: Random, { victim }: World): unknown =>
  random.chance(0.5) ? victim.organisationId : oddValue(random)

/** The page on which a person types the code that a device shows. */
function onDevicePage(random: Random, world: World): Attack {
  const { devicePages, devices } = world.learned
  const known = devicePages.at(-1)
  const about = 'on the device page'
  if (!known || random.chance(0.2)) {
    const learn = ({ headers, json }: Answer) => {
      const cookie = headers.get('set-cookie')?.split(';')[0]
      if (cookie) keep(devicePages, { cookie, csrf: String(Object(json).csrf) })
    }
    return attackOf(page(random, 'GET', '/api/device', []), { about, target: undefined, learn })
  }
  const own: Headers = [
    ['Cookie', known.cookie],
    ['X-Csrf-Token', known.csrf],
  ]
  const device = devices.at(-1)
  const userCode = device && random.chance(0.4) ? device.userCode : oddValue(random)
  const [step, value] = random.pick([
    ['lookup', { user_code: userCode }],
    ['confirm', { user_code: userCode, decision: oddValue(random) }],
  ] as const)
  return attackOf(page(random, 'POST', `/api/device/${step}`, own, value), {
    about,
    target: undefined,
    caller: device?.tenant,
  })
}

function forgedCookies(random: Random, uid: string): string {
  const names = [
    'assay_session',
    '_assay_page',
    '_assay_page.sig',
    '_assay_device',
    '_assay_oauth',
    '_assay_oauth.sig',
    '_assay_resume',
    '__proto__',
  ]
  return random
    .some(names)
    .concat('a')
    .map((name) => `${name}=${random.pick([uid, random.letters(43), '', '"x"', '%00', '%', 'a'.repeat(4000), 'j:{}'])}`)
    .join('; ')
}
