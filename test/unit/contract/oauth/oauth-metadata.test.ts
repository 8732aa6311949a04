import { expect, test } from '@jest/globals';
import { resourceMetadata, serverMetadata } from '../../../../contract/oauth/oauth-metadata.ts';

const deployment = {
  brand: 'Slipway',
  baseUrl: 'https://app.example',
  policies: { privacy: undefined, terms: undefined },
};

test('the authorization server tells of every endpoint, and of what it takes alone', () => {
  expect(serverMetadata(deployment)).toEqual({
    issuer: 'https://app.example',
    authorization_endpoint: 'https://app.example/oauth/authorize',
    token_endpoint: 'https://app.example/oauth/token',
    registration_endpoint: 'https://app.example/oauth/register',
    revocation_endpoint: 'https://app.example/oauth/revoke',
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: [
      'authorization_code',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:device_code',
      'urn:ietf:params:oauth:grant-type:token-exchange',
    ],
    device_authorization_endpoint: 'https://app.example/oauth/device_authorization',
    token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
    revocation_endpoint_auth_methods_supported: [
      'none',
      'client_secret_post',
      'client_secret_basic',
    ],
    code_challenge_methods_supported: ['S256'],
    scopes_supported: ['projects:read', 'projects:write', 'account:read'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: 'https://app.example/docs/connect',
  });
});

test('the resource names itself exactly, and the issuer byte for byte', () => {
  const resource = resourceMetadata(deployment);
  expect(resource).toEqual({
    resource: 'https://app.example/mcp',
    authorization_servers: ['https://app.example'],
    scopes_supported: ['projects:read', 'projects:write', 'account:read'],
    bearer_methods_supported: ['header'],
    resource_name: 'Slipway',
    resource_documentation: 'https://app.example/docs/connect',
  });
  expect(resource.authorization_servers[0]).toBe(serverMetadata(deployment).issuer);
});

test('both name the operator’s pages, where there are some', () => {
  const policies = { privacy: 'https://example.com/privacy', terms: 'https://example.com/terms' };
  expect(serverMetadata({ ...deployment, policies })).toMatchObject({
    op_policy_uri: policies.privacy,
    op_tos_uri: policies.terms,
  });
  expect(resourceMetadata({ ...deployment, policies })).toMatchObject({
    resource_policy_uri: policies.privacy,
    resource_tos_uri: policies.terms,
  });
});
