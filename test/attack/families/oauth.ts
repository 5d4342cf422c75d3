import { createHmac, hash } from 'node:crypto'
import { SCOPE_NAMES } from '../../../src/access/scopes.ts'
import { DEVICE_GRANT } from '../../oauth/support/flow.ts'
import { type Attack, attackOf, type Family } from '../attack.ts'
import type { Random } from '../random.ts'
import type { Answer, Headers } from '../wire.ts'
import { keep, PUBLIC_KEY, someAddress, type Tenant, type World } from '../world.ts'

/** The endpoints of the metadata, with parameters that are nearly right: nobody gets a token who should not. */
export const oauth: Family = {
  name: 'oauth',
  weight: 5,
  make(random, world) {
    return random.pick([
      authorizeRequest,
      authorizeRequest,
      tokenRequest,
      tokenRequest,
      tokenRequest,
      deviceRequest,
      inspection,
      push,
      logout,
      anyForm,
      metadata,
    ])(random, world)
  },
}

type Fields = [name: string, value: string][]

const FORM = 'application/x-www-form-urlencoded'
const JWT_BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const VERIFIER = 'v'.repeat(43)
const CHALLENGE = hash('sha256', VERIFIER, 'base64url')

/** Stands before a value that is sent as it is: percent signs in it are not encoded once more. */
const RAW = 'raw:'

const encode = (fields: Fields) =>
  fields
    .map(([name, value]) => {
      const text = value.startsWith(RAW) ? value.slice(RAW.length) : encodeURIComponent(value.toWellFormed())
      return `${name.includes('[') ? name : encodeURIComponent(name)}=${text}`
    })
    .join('&')

function post(
  random: Random,
  path: string,
  fields: Fields,
  about: string,
  more: Partial<Attack> & { headers?: Headers } = {},
): Attack {
  const { headers = [], ...rest } = more
  const body = Buffer.from(
    random.chance(0.03) ? random.pick(['', '=', '&', '%', 'a=%zz', 'a=%ff', '\0', 'grant_type']) : encode(fields),
  )
  return attackOf(
    {
      method: 'POST',
      target: path,
      headers: [
        ['Host', 'localhost'],
        ['X-Forwarded-For', someAddress(random)],
        ['Content-Type', random.chance(0.04) ? random.pick(TYPES) : FORM],
        ...headers,
      ],
      body,
    },
    { about, target: { oauth: path }, ...rest },
  )
}

const TYPES = [
  'application/json',
  `${FORM}; charset=utf-16`,
  `${FORM}; charset=x`,
  'text/plain',
  'multipart/form-data; boundary=x',
  '',
  'x',
]

function get(
  random: Random,
  path: string,
  fields: Fields,
  about: string,
  more: Partial<Attack> & { headers?: Headers } = {},
): Attack {
  const { headers = [], ...rest } = more
  const query = encode(fields)
  return attackOf(
    {
      method: 'GET',
      target: query === '' ? path : `${path}?${query}`,
      headers: [
        ['Host', random.chance(0.05) ? random.pick(['evil.example', 'a b', '']) : 'localhost'],
        ['X-Forwarded-For', someAddress(random)],
        ...(random.chance(0.3) ? ([['Accept', 'text/html']] as const) : []),
        ...headers,
      ],
    },
    { about, target: { oauth: path }, ...rest },
  )
}

/** Drops, doubles, spoils or adds one of the fields. */
function spoil(random: Random, fields: Fields): Fields {
  const at = random.int(0, fields.length - 1)
  const [name = ''] = fields[at] ?? []
  return random.make<Fields>([
    () => fields.filter((_one, i) => i !== at),
    () => [...fields, [name, random.pick(TEXTS)]],
    () => [...fields, [`${name}${random.pick(['[]', '[a]', '[__proto__]'])}`, random.pick(TEXTS)]],
    () => fields.map((one, i) => (i === at ? [name, random.pick(TEXTS)] : one)),
    () => [...fields, [random.pick(NAMES), random.pick(TEXTS)]],
    () => fields,
  ])
}

const NAMES = [
  'request',
  'request_uri',
  'registration',
  'claims',
  'resource',
  'audience',
  'display',
  'acr_values',
  'max_age',
  'prompt',
  'id_token_hint',
  'login_hint',
  'ui_locales',
  'response_mode',
  'nonce',
  'dpop_jkt',
  'client_assertion',
  'client_assertion_type',
  'token_type_hint',
  'web_message_uri',
  'claims_locales',
  'logout_hint',
  'authorization_details',
  '__proto__',
  'constructor',
  'toString',
  '',
  'user_code',
  'state',
  'scope',
  'code',
]

const TEXTS = [
  '',
  ' ',
  '\0',
  '%00',
  '%',
  'null',
  '-1',
  '1e999',
  '[]',
  '{}',
  '{"id_token":{"__proto__":null}}',
  'a'.repeat(5000),
  '\ud800',
  '\u202e',
  'é',
  'none',
  'login',
  'consent',
  'form_post',
  'query.jwt',
  'fragment',
  'http://[',
  'https://evil.example',
  'urn:ietf:params:oauth:request_uri:x',
  'eyJhbGciOiJub25lIn0.e30.',
  "' or 1=1",
  '<script>',
  'a b',
  '"',
  '\\',
  '\r\nSet-Cookie: x=y',
  '{"id_token":{"sub":{"value":1}},"userinfo":[]}',
  'eyJhbGciOiJSUzI1NiJ9.bm90IEpTT04.c2ln',
  'eyJhbGciOiJIUzI1NiIsImtpZCI6e319.bnVsbA.c2ln',
  'assay-cli',
  'cli_00000000000000000000',
  '__proto__',
  `${RAW}%ff%fe`,
  `${RAW}%c3%28`,
  `${RAW}%ed%a0%80`,
  `${RAW}%F4%90%80%80`,
  `${RAW}%`,
  `${RAW}%zz`,
  `${RAW}\xff\xfe`,
  `${RAW}${'%00'.repeat(1000)}`,
  `${RAW}a&client_id=b`,
  `${RAW}http://%00`,
]

const REDIRECTS = (registered: string) => [
  registered,
  `${registered}/`,
  `${registered}?x=1`,
  `${registered}#x`,
  registered.toUpperCase(),
  registered.replace('https://', 'http://'),
  registered.replace('app.example', 'app.example.evil.example'),
  registered.replace('://', '://evil@'),
  `${registered}/../other`,
  `${registered}%00`,
  registered.replace('/callback', '//callback'),
  'https://evil.example/callback',
  'javascript:alert(1)',
  'data:text/html,x',
  '//evil.example',
  '/callback',
  '',
  'http://127.0.0.1:1/callback',
  'http://localhost/callback',
  `${registered}\r\nX: y`,
]

/** Nobody is sent anywhere but to an address that was registered; nothing is given without a person. */
function authorizeRequest(random: Random, world: World): Attack {
  const tenant = random.pick([...world.attackers, world.victim])
  const { client } = random.pick([tenant.web, tenant.native])
  const registered = client.redirect_uris[0] ?? ''
  const redirect = random.chance(0.5) ? registered : random.pick(REDIRECTS(registered))
  const [challenge, how] = random.pick([
    [CHALLENGE, 'S256'],
    [CHALLENGE, 'S256'],
    [VERIFIER, 'plain'],
    [CHALLENGE, ''],
    ['', ''],
    ['x', 'S256'],
    [CHALLENGE, 'S512'],
    ['a'.repeat(200), 'S256'],
    ['=', 'S256'],
  ] as const)
  const fields: Fields = [
    [
      'client_id',
      random.chance(0.9)
        ? client.id
        : random.pick(['', 'x', '__proto__', '\0', client.id.toUpperCase(), tenant.organisationId]),
    ],
    [
      'response_type',
      random.chance(0.8) ? 'code' : random.pick(['token', 'id_token', 'code token', 'none', '', 'code code']),
    ],
    ['redirect_uri', redirect],
    ['scope', random.chance(0.7) ? 'openid risk:payment' : someScope(random)],
    ...(challenge === '' ? [] : ([['code_challenge', challenge]] as Fields)),
    ...(how === '' ? [] : ([['code_challenge_method', how]] as Fields)),
    ['state', random.pick(['s', '', 'a'.repeat(3000), '\0', 'é', '"><script>', '\r\nX: y'])],
  ]
  const path = '/oauth/authorize'
  const uri = world.learned.requestUris.at(-1)
  // A pushed request belongs to the application that pushed it.
  if (uri !== undefined && random.chance(0.15)) fields.push(['request_uri', uri])
  const sent = random.chance(0.6) ? spoil(random, fields) : fields
  const judge = ([answer]: readonly Answer[]) => sentElsewhere(world, registered, answer)
  const cookies: Headers = random.chance(0.3) ? [['Cookie', random.pick(COOKIES)]] : []
  // Whose application it is stands on the page for everybody.
  const more = {
    judge,
    caller: tenant,
    headers: cookies,
    learn: (answer: Answer) => learnSignIn(world, tenant, answer),
  }
  return random.chance(0.15)
    ? post(random, path, sent, 'an authorization request by POST', more)
    : get(random, path, sent, 'an authorization request', more)
}

const COOKIES = [
  '_assay_oauth=x',
  `_assay_oauth=${'a'.repeat(43)}; _assay_oauth.sig=x`,
  '_assay_resume=x',
  '_assay_interaction=x',
  '_assay_oauth=',
  '_assay_oauth="',
  '__proto__=x',
]

/** The page that an authorization request led to, with the cookies that belong to it. */
function learnSignIn({ learned }: World, tenant: Tenant, { headers }: Answer): void {
  const uid = /\/interaction\/([\w-]{43})$/.exec(headers.get('location') ?? '')?.[1]
  if (uid === undefined) return
  const cookie = (headers.get('set-cookie') ?? '')
    .split('\n')
    .map((line) => line.split(';')[0])
    .join('; ')
  keep(learned.signIns, { tenant, uid, cookie, csrf: '' })
}

function sentElsewhere(world: World, registered: string, answer: Answer | undefined): string[] {
  const location = answer?.headers.get('location')
  if (location === undefined) return []
  const there = URL.parse(location, world.baseUrl)
  if (!there) return [`sent to ${location.slice(0, 80)}`]
  const home = there.origin === world.baseUrl
  // A posted form is sent on to the same place as a query, with whatever fields it had.
  const again = home && there.pathname === '/oauth/authorize'
  if ((!again && there.searchParams.has('code')) || there.hash.includes('access_token'))
    return ['a code without a person']
  const back = URL.parse(registered)
  const loopback = back?.hostname === '127.0.0.1' && there.hostname === '127.0.0.1' && there.pathname === back.pathname
  return home || loopback || `${there.origin}${there.pathname}` === registered
    ? []
    : [`sent to ${location.slice(0, 80)}`]
}

const someScope = (random: Random) =>
  random.pick([
    '',
    ' ',
    'openid',
    SCOPE_NAMES.join(' '),
    'risk:payment '.repeat(400),
    'organisation:write',
    'billing:write risk:payment',
    'openid\topenid',
    'risk:payment\u00a0risk:bulk',
    '*',
    'risk:*',
    '__proto__',
    '\0',
    'RISK:PAYMENT',
    Array.from({ length: 300 }, (_x, i) => `s${i}`).join(' '),
  ])

const segment = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A JSON Web Token by nobody: unsigned, signed with what is public, or broken. */
function forgedToken(random: Random, world: World, clientId: string, secret: string): string {
  const claims = {
    iss: clientId,
    sub: clientId,
    aud: random.pick([world.baseUrl, `${world.baseUrl}/oauth/token`, 'x']),
    jti: random.letters(12),
    exp: 4_102_444_800,
    iat: 1,
  }
  const signed = (header: object, key: string) => {
    const text = `${segment(header)}.${segment(claims)}`
    return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
  }
  return random.make([
    () => `${segment({ alg: 'none' })}.${segment(claims)}.`,
    () => `${segment({ alg: 'None', typ: 'JWT' })}.${segment(claims)}.`,
    () => signed({ alg: 'HS256' }, secret),
    () => signed({ alg: 'HS256', kid: 'one' }, JSON.stringify(PUBLIC_KEY)),
    () => signed({ alg: 'HS256', kid: '../../dev/null' }, ''),
    () => `${segment({ alg: 'ES256', kid: 'one' })}.${segment(claims)}.${'A'.repeat(86)}`,
    () => `${segment({ alg: 'ES256', kid: 'one', jwk: PUBLIC_KEY })}.${segment(claims)}.${random.letters(86)}`,
    () => signed({ alg: 'RS256' }, 'x'),
    () =>
      signed(
        { alg: 'RS256', jwk: { kty: 'oct', k: 'eA' }, jku: 'http://127.0.0.1:1/', x5u: 'http://127.0.0.1:1/' },
        'x',
      ),
    () => signed({ alg: 'HS256', crit: ['b64'], b64: false }, secret),
    () => `${segment({ alg: 'ES256' })}.${segment({ ...claims, exp: 'soon' })}.${'A'.repeat(86)}`,
    () => `${segment({ alg: 'PS256' })}.${Buffer.from('[').toString('base64url')}.x`,
    () => 'a.b',
    () => 'a.b.c.d.e',
    () => '..',
    () => `${'a'.repeat(3000)}.b.c`,
    () => `${segment({ alg: 'dir', enc: 'A128GCM', zip: 'DEF' })}.....`,
  ])
}

/** Ways to say who an application is that must not be believed. */
function falseProof(random: Random, world: World, tenant: Tenant): { fields: Fields; headers: Headers } {
  const { client, secret } = random.pick([tenant.service, tenant.web, tenant.keyed])
  const basic = (text: string): Headers => [['Authorization', `Basic ${Buffer.from(text).toString('base64')}`]]
  return random.make<{ fields: Fields; headers: Headers }>([
    () => ({ fields: [['client_id', client.id]], headers: [] }),
    () => ({
      fields: [
        ['client_id', client.id],
        ['client_secret', ''],
      ],
      headers: [],
    }),
    () => ({
      fields: [
        ['client_id', client.id],
        ['client_secret', secret.slice(0, -1)],
      ],
      headers: [],
    }),
    () => ({
      fields: [
        ['client_id', client.id],
        ['client_secret', tenant.key],
      ],
      headers: [],
    }),
    () => ({
      fields: [
        ['client_id', world.victim.service.client.id],
        ['client_secret', secret],
      ],
      headers: [],
    }),
    () => ({
      fields: [
        ['client_id', client.id],
        ['client_secret', 'a'],
        ['client_secret', secret],
      ],
      headers: [],
    }),
    () => ({ fields: [], headers: basic(`${client.id}:`) }),
    () => ({ fields: [], headers: basic(`${client.id}`) }),
    () => ({ fields: [], headers: basic(`${client.id}:${secret}x`) }),
    () => ({ fields: [], headers: basic('%:%zz') }),
    () => ({ fields: [], headers: basic('\0:\0') }),
    () => ({
      fields: [],
      headers: [['Authorization', random.pick(['Basic', 'Basic =', 'Basic ????', 'Bearer x', 'basic', '\xff'])]],
    }),
    () => ({
      fields: [
        ['client_id', client.id],
        ['client_assertion_type', JWT_BEARER],
        ['client_assertion', forgedToken(random, world, client.id, secret)],
      ],
      headers: [],
    }),
    () => ({
      fields: [
        ['client_id', tenant.native.client.id],
        ['client_secret', 'x'],
      ],
      headers: [],
    }),
  ])
}

const nothingGiven = ([answer]: readonly Answer[]) =>
  answer && answer.status < 300 ? [`given: ${answer.status} ${Object.keys(Object(answer.json)).join(' ')}`] : []

function tokenRequest(random: Random, world: World): Attack {
  const path = '/oauth/token'
  const tenant = random.pick(world.attackers)
  if (random.chance(0.15)) {
    const { client, secret } = tenant.service
    const fields: Fields = [
      ['grant_type', 'client_credentials'],
      ['client_id', client.id],
      ['client_secret', secret],
      ...(random.chance(0.4) ? ([['scope', someScope(random)]] as Fields) : []),
    ]
    return post(random, path, fields, 'client credentials', { caller: tenant })
  }
  const grants: Fields[] = [
    [['grant_type', 'client_credentials']],
    [
      ['grant_type', 'client_credentials'],
      ['scope', SCOPE_NAMES.join(' ')],
    ],
    [
      ['grant_type', 'authorization_code'],
      ['code', random.pick([tenant.granted?.usedCode ?? '', world.victim.granted?.usedCode ?? '', random.letters(43)])],
      ['redirect_uri', tenant.web.client.redirect_uris[0] ?? ''],
      ['code_verifier', random.pick([VERIFIER, '', 'x', 'v'.repeat(129)])],
    ],
    [
      ['grant_type', 'refresh_token'],
      [
        'refresh_token',
        random.pick([world.victim.granted?.refreshToken ?? '', random.letters(43), '', tenant.bearer, tenant.key]),
      ],
    ],
    [
      ['grant_type', DEVICE_GRANT],
      ['device_code', random.pick([random.letters(43), '', '\0', 'x'.repeat(5000)])],
    ],
    [
      ['grant_type', 'password'],
      ['username', tenant.person.email],
      ['password', 'planted guess'],
    ],
    [
      ['grant_type', 'urn:ietf:params:oauth:grant-type:token-exchange'],
      ['subject_token', tenant.bearer],
    ],
    [
      ['grant_type', 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
      ['assertion', forgedToken(random, world, 'x', 'x')],
    ],
    [
      [
        'grant_type',
        random.pick(['', 'implicit', '__proto__', 'CLIENT_CREDENTIALS', 'client_credentials ', '\0', 'x'.repeat(3000)]),
      ],
    ],
  ]
  const device = world.learned.devices.at(-1)
  if (device && random.chance(0.15)) {
    // Nobody has approved it, and another application must not even ask.
    const { client } = random.pick([device.tenant, tenant]).native
    const fields: Fields = [
      ['grant_type', DEVICE_GRANT],
      ['device_code', device.deviceCode],
      ['client_id', client.id],
    ]
    return post(random, path, fields, 'a device polls', { caller: tenant, judge: nothingGiven })
  }
  const grant = random.pick(grants)
  if (random.chance(0.45)) {
    // A good proof and a grant that is not good: what was used, or was given to somebody else.
    const app = random.pick([tenant.web, tenant.service])
    const wrong = grant[0]?.[1] === 'client_credentials' ? random.pick(grants.slice(2)) : grant
    const fields: Fields = [...wrong, ['client_id', app.client.id], ['client_secret', app.secret]]
    return post(random, path, fields, `a token by ${wrong[0]?.[1].slice(0, 30)}`, {
      caller: tenant,
      judge: nothingGiven,
    })
  }
  const { fields, headers } = falseProof(random, world, tenant)
  return post(random, path, [...grant, ...fields], 'a token without proof', { headers, judge: nothingGiven })
}

function deviceRequest(random: Random, world: World): Attack {
  const tenant = random.pick(world.attackers)
  const path = '/oauth/device_authorization'
  const { client } = random.pick([tenant.native, tenant.native, tenant.web, tenant.service])
  const fields: Fields = [
    ['client_id', client.id],
    ['scope', random.chance(0.5) ? 'openid risk:payment' : someScope(random)],
  ]
  return post(random, path, spoil(random, fields), 'a device asks', {
    caller: tenant,
    learn: ({ json }) => {
      const { device_code: deviceCode, user_code: userCode } = Object(json)
      if (typeof deviceCode === 'string')
        keep(world.learned.devices, { tenant, deviceCode, userCode: String(userCode) })
    },
  })
}

/** Whose token it is, only its own application or organisation learns; a stranger cannot revoke it. */
function inspection(random: Random, world: World): Attack {
  const tenant = random.pick(world.attackers)
  const path = random.pick(['/oauth/introspect', '/oauth/introspect', '/oauth/revoke', '/oauth/userinfo'])
  const { victim } = world
  const token = random.pick([
    victim.bearer,
    victim.granted?.refreshToken ?? '',
    victim.key,
    random.letters(43),
    '',
    '\0',
    'a'.repeat(6000),
    forgedToken(random, world, 'x', 'x'),
  ])
  if (path === '/oauth/userinfo') {
    const headers: Headers = [
      [
        'Authorization',
        random.pick([
          `Bearer ${random.letters(43)}`,
          'Bearer',
          '',
          `Bearer ${tenant.key}`,
          `DPoP ${random.letters(9)}`,
        ]),
      ],
    ]
    return random.chance(0.5)
      ? get(random, path, [['access_token', random.letters(20)]], 'user info', { headers, judge: nothingGiven })
      : post(random, path, [['access_token', token]], 'user info', { judge: nothingGiven })
  }
  const app = random.pick([tenant.service, tenant.web])
  const fields: Fields = [
    ['token', token],
    ['client_id', app.client.id],
    ['client_secret', app.secret],
    ...(random.chance(0.4)
      ? ([['token_type_hint', random.pick(['access_token', 'refresh_token', 'x', '__proto__', ''])]] as Fields)
      : []),
  ]
  return post(random, path, fields, `${path} of the token of another tenant`, {
    caller: tenant,
    judge: ([answer]) => (answer?.text.includes('"active":true') ? ['the token of another tenant was shown'] : []),
  })
}

function push(random: Random, world: World): Attack {
  const tenant = random.pick(world.attackers)
  const { client, secret } = tenant.web
  const fields: Fields = [
    ['client_id', client.id],
    ['client_secret', secret],
    ['response_type', 'code'],
    [
      'redirect_uri',
      random.chance(0.6) ? (client.redirect_uris[0] ?? '') : random.pick(REDIRECTS(client.redirect_uris[0] ?? '')),
    ],
    ['scope', random.chance(0.6) ? 'openid risk:payment' : someScope(random)],
    ['code_challenge', CHALLENGE],
    ['code_challenge_method', 'S256'],
  ]
  return post(random, '/oauth/par', spoil(random, fields), 'a pushed request', {
    caller: tenant,
    learn: ({ json }) => {
      const uri = Object(json).request_uri
      if (typeof uri === 'string') keep(world.learned.requestUris, uri)
    },
  })
}

function logout(random: Random, world: World): Attack {
  const tenant = random.pick(world.attackers)
  const path = random.pick(['/oauth/logout', '/oauth/logout', '/oauth/logout/confirm', '/oauth/logout/success'])
  const fields: Fields = [
    ['client_id', random.pick([tenant.web.client.id, tenant.native.client.id, 'assay-cli', 'x', '', '\0'])],
    [
      'post_logout_redirect_uri',
      random.pick(['https://evil.example', 'javascript:x', '', 'http://[', 'https://app.example/out', '\0']),
    ],
    ['id_token_hint', forgedToken(random, world, 'x', 'x')],
    ['state', random.pick(TEXTS)],
    ['ui_locales', random.pick(TEXTS)],
    ['xsrf', 'x'],
    ['logout', 'yes'],
  ]
  const sent = random.some(fields, 0.5)
  const headers: Headers = random.chance(0.3) ? [['Cookie', random.pick(COOKIES)]] : []
  const judge = ([answer]: readonly Answer[]) => sentElsewhere(world, 'https://app.example/out', answer)
  return path.endsWith('confirm')
    ? post(random, path, sent, 'signing out', { headers, judge })
    : get(random, path, sent, 'signing out', { headers, judge })
}

const PATHS = [
  '/oauth/token',
  '/oauth/device_authorization',
  '/oauth/revoke',
  '/oauth/introspect',
  '/oauth/par',
  '/oauth/userinfo',
  '/oauth/authorize',
]

function anyForm(random: Random, world: World): Attack {
  const tenant = random.pick(world.attackers)
  const fields: Fields = Array.from({ length: random.int(0, 12) }, () => [
    random.pick([
      ...NAMES,
      'grant_type',
      'client_id',
      'client_secret',
      'redirect_uri',
      'token',
      'device_code',
      'refresh_token',
      'response_type',
    ]),
    random.pick([...TEXTS, tenant.web.client.id, 'code', 'client_credentials', 'S256']),
  ])
  const path = random.pick(PATHS)
  return random.chance(0.3)
    ? get(random, path, fields, 'any query', { caller: tenant })
    : post(random, path, fields, 'any form', { caller: tenant })
}

function metadata(random: Random, world: World): Attack {
  const path = random.pick([
    '/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server',
    '/.well-known/jwks.json',
    '/.well-known/oauth-protected-resource',
    `/oauth/authorize/${'x'.repeat(43)}`,
    '/oauth/authorize/x',
    '/oauth/authorize/%00',
    `/device/${'x'.repeat(43)}`,
  ])
  const { client } = random.pick(world.attackers).web
  const fields: Fields = [
    ['client_id', random.pick([client.id, 'assay-cli', random.pick(TEXTS)])],
    [random.pick(NAMES), random.pick(TEXTS)],
  ]
  return get(random, path, random.some(fields, 0.4), 'metadata, or where a sign-in goes on', {
    judge: ([answer]) =>
      answer?.text.includes('evil.example') && path.startsWith('/.well-known')
        ? ['the metadata name the Host of the request']
        : [],
  })
}
