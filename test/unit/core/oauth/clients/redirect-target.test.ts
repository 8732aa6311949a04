import { expect, test } from '@jest/globals';
import { redirectTarget } from '../../../../../core/oauth/clients/redirect-uri.ts';

test.each([
  ['https://claude.ai/api/mcp/auth_callback', { kind: 'site', host: 'claude.ai' }],
  ['https://vscode.dev:8443/redirect', { kind: 'site', host: 'vscode.dev:8443' }],
  ['https://cl\u0430ude.ai/', { kind: 'site', host: 'xn--clude-5ve.ai' }],
  ['http://127.0.0.1:33418/', { kind: 'this-computer' }],
  ['http://[::1]/callback', { kind: 'this-computer' }],
  ['http://localhost:3000/oauth?x=1', { kind: 'this-computer' }],
  ['https://localhost.evil.example/', { kind: 'site', host: 'localhost.evil.example' }],
  ['cursor://anysphere.cursor-mcp/oauth/callback', { kind: 'app', scheme: 'cursor' }],
  ['com.example.app:/callback', { kind: 'app', scheme: 'com.example.app' }],
])('%s leads to %j', (uri, target) => {
  expect(redirectTarget(uri)).toEqual(target);
});
