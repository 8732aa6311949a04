import { documentationPath } from '../llms/guides.ts';
import type { Policies } from '../discovery/policies.ts';
import { ClientAuthMethod, mcpResource, oauthScopes } from './oauth.ts';
import { deviceGrant, oauthPaths, tokenExchangeGrant } from './oauth-paths.ts';

/** Values of an installation that the metadata documents contain. */
export interface OAuthDeployment {
  brand: string;
  /** The issuer; no trailing slash. */
  baseUrl: string;
  policies: Policies;
}

/** Authorization server metadata (RFC 8414 §2). */
export function serverMetadata({ baseUrl, policies }: OAuthDeployment) {
  return {
    issuer: baseUrl,
    authorization_endpoint: baseUrl + oauthPaths.authorize,
    token_endpoint: baseUrl + oauthPaths.token,
    registration_endpoint: baseUrl + oauthPaths.register,
    revocation_endpoint: baseUrl + oauthPaths.revoke,
    device_authorization_endpoint: baseUrl + oauthPaths.deviceAuthorization,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', deviceGrant, tokenExchangeGrant],
    token_endpoint_auth_methods_supported: ClientAuthMethod.options,
    revocation_endpoint_auth_methods_supported: ClientAuthMethod.options,
    code_challenge_methods_supported: ['S256'],
    scopes_supported: oauthScopes,
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: documentation(baseUrl),
    ...(policies.privacy !== undefined && { op_policy_uri: policies.privacy }),
    ...(policies.terms !== undefined && { op_tos_uri: policies.terms }),
  };
}

/** Protected resource metadata (RFC 9728 §2). */
export function resourceMetadata({ brand, baseUrl, policies }: OAuthDeployment) {
  return {
    resource: mcpResource(baseUrl),
    // Clients compare it with the issuer byte by byte (RFC 8414 §3.3).
    authorization_servers: [baseUrl],
    scopes_supported: oauthScopes,
    bearer_methods_supported: ['header'],
    resource_name: brand,
    resource_documentation: documentation(baseUrl),
    ...(policies.privacy !== undefined && { resource_policy_uri: policies.privacy }),
    ...(policies.terms !== undefined && { resource_tos_uri: policies.terms }),
  };
}

function documentation(baseUrl: string): string {
  return `${baseUrl}${documentationPath}/connect`;
}
