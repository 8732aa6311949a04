import * as z from 'zod';

/** What a connected app may do. Few scopes, so that people understand what they allow. */
export const OAuthScope = z.enum(['projects:read', 'projects:write', 'account:read']);
export type OAuthScope = z.infer<typeof OAuthScope>;

/** Every scope, in the order in which documents and challenges name them. */
export const oauthScopes: readonly OAuthScope[] = OAuthScope.options;

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

/** How clients may authenticate at the token and revocation endpoints. */
export const ClientAuthMethod = z.enum(['none', 'client_secret_post', 'client_secret_basic']);
export type ClientAuthMethod = z.infer<typeof ClientAuthMethod>;

/** The resource identifier for which tokens are issued (RFC 8707). */
export function mcpResource(baseUrl: string): string {
  return `${baseUrl}${oauthPaths.mcp}`;
}

/**
 * The challenge of a 401 or 403 of the MCP endpoint (RFC 6750 §3, RFC 9728 §5.1): the metadata
 * document and the scopes. Has no `error` if no credential was sent.
 */
export function bearerChallenge(
  baseUrl: string,
  more: { error?: 'invalid_token' | 'insufficient_scope'; scopes?: readonly OAuthScope[] } = {},
): string {
  const { error, scopes = oauthScopes } = more;
  const parts = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    `resource_metadata="${baseUrl}${oauthPaths.resourceMetadata}${oauthPaths.mcp}"`,
    `scope="${scopes.join(' ')}"`,
  ];
  return `Bearer ${parts.join(', ')}`;
}
