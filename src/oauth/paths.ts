export const PATHS = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  device_authorization: '/oauth/device_authorization',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
  userinfo: '/oauth/userinfo',
  end_session: '/oauth/logout',
  pushed_authorization_request: '/oauth/par',
  jwks: '/.well-known/jwks.json',
  code_verification: '/device',
} as const

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
