const WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no server of this name',
  EAI_AGAIN: 'its name cannot be looked up at the moment',
  ECONNREFUSED: 'the server accepts no connections at this port',
  ECONNRESET: 'the server ended the connection',
  EPIPE: 'the server ended the connection',
  ETIMEDOUT: 'the server did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'the server did not answer in time',
  EHOSTUNREACH: 'there is no way to this server from here',
  ENETUNREACH: 'there is no way to this server from here',
  EPROTO: 'the server does not speak TLS as expected',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by itself',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'nobody known has signed its certificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'nobody known has signed its certificate',
}

/** A failed connection in words, with the code that the system gave it; the message of any other error. */
export function networkWords({ code, message }: Error & { readonly code?: string }): string {
  const named = [code ?? '', ...(message.match(/\b[A-Z][A-Z_]{4,}\b/g) ?? [])].find((name) =>
    Object.hasOwn(WORDS, name),
  )
  return named === undefined ? message : `${WORDS[named]} (${named})`
}
