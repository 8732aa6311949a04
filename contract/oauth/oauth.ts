import * as z from 'zod';
import { oauthPaths } from './oauth-paths.ts';

/** What a connected app may do. Few scopes, so that people understand what they allow. */
export const OAuthScope = z.enum(['projects:read', 'projects:write', 'account:read']);
export type OAuthScope = z.infer<typeof OAuthScope>;

/** Every scope, in the order in which documents and challenges name them. */
export const oauthScopes: readonly OAuthScope[] = OAuthScope.options;

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
