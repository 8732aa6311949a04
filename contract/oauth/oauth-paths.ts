/** Paths of the authorization server and of the resource that its tokens are for. */
export const oauthPaths = {
  mcp: '/mcp',
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  deviceAuthorization: '/oauth/device_authorization',
  /** A page for people: which program waits for them, and whether they allow it. */
  device: '/device',
  /** Leads people to the list of their connected apps and signed-in browsers in the web app. */
  connections: '/oauth/connections',
  serverMetadata: '/.well-known/oauth-authorization-server',
  resourceMetadata: '/.well-known/oauth-protected-resource',
} as const;

/** The grant of a program without a browser (RFC 8628 §3.4). */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/** The grant of a job that has a token of its CI service (RFC 8693 §2.1). */
export const tokenExchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** The types of token that are exchanged (RFC 8693 §3); both are a signed JWT. */
export const subjectTokenTypes = [
  'urn:ietf:params:oauth:token-type:id_token',
  'urn:ietf:params:oauth:token-type:jwt',
] as const;

/** The type of the key that such a job gets (RFC 8693 §3). */
export const issuedTokenType = 'urn:ietf:params:oauth:token-type:access_token';

/** The `client_id` of the command that every installation hands out; it is registered nowhere. */
export const commandClientId = 'slipway-cli';
