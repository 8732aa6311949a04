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
  /** A page for people: their connected apps, each with a button to disconnect it. */
  connections: '/oauth/connections',
  serverMetadata: '/.well-known/oauth-authorization-server',
  resourceMetadata: '/.well-known/oauth-protected-resource',
} as const;

/** The grant of a program without a browser (RFC 8628 §3.4). */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/** The `client_id` of the command that every installation hands out; it is registered nowhere. */
export const commandClientId = 'slipway-cli';
