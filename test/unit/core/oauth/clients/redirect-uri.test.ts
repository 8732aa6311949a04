import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { OAuthError } from '../../../../../core/oauth/oauth-error.ts';
import {
  isAllowedRedirectUri,
  isRegistered,
  redirectHost,
  requireRedirectUris,
} from '../../../../../core/oauth/clients/redirect-uri.ts';

describe('the redirect URIs of', () => {
  test.each([
    [
      'Claude',
      ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
    ],
    [
      'ChatGPT',
      [
        'https://chatgpt.com/connector/oauth/kDmjx77UnKOM',
        'https://chatgpt.com/connector_platform_oauth_redirect',
      ],
    ],
    [
      'Cursor',
      [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
    ],
    [
      'VS Code',
      [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
        'http://localhost/',
        'http://localhost:33418/',
        'vscode://vscode.github-authentication/did-authenticate',
        'vscode-insiders://vscode.github-authentication/did-authenticate',
      ],
    ],
    ['Windsurf and Zed', ['windsurf://codeium.windsurf/callback', 'zed://oauth/callback']],
    ['a program on this computer', ['http://127.0.0.1:1455/auth/callback', 'http://[::1]:80/']],
    ['an app with a domain as its scheme', ['com.example.app:/oauth2redirect?from=mcp']],
    ['a site with a query', ['https://example.org/callback?tenant=a%20b&x=1']],
    ['a site with a port', ['https://example.org:8443/callback']],
    ['a host without a path', ['https://example.org']],
  ])('%s are accepted unchanged', (_, uris) => {
    expect(requireRedirectUris(uris)).toEqual(uris);
  });
});

describe('refuses', () => {
  test.each([
    ['javascript:alert(1)'],
    ['javascript://example.org/%0aalert(1)'],
    ['JavaScript:/alert(1)'],
    ['data:text/html,<script>alert(1)</script>'],
    ['data:/text/html,x'],
    ['vbscript:/x'],
    ['file:///etc/passwd'],
    ['blob:https://example.org/1'],
    ['about:blank'],
    ['about:/blank'],
    ['view-source:https://example.org/'],
    ['ws://example.org/'],
    ['mailto:a@example.org'],
    ['http://example.org/callback'],
    ['http://127.0.0.1.example.org/'],
    ['http://localhost.example.org/'],
    ['http://127.0.0.2/'],
    ['http://0.0.0.0/'],
    ['http://2130706433/'],
    ['http://localhost:99999/'],
    ['http://127.0.0.1@example.org/'],
    ['http://127.0.0.1:80@example.org/'],
    ['http://127.0.0.1\\@example.org/'],
    ['https://user@example.org/'],
    ['https://user:secret@example.org/'],
    ['cursor://user@anysphere.cursor-mcp/'],
    ['https://example.org/#fragment'],
    ['cursor://anysphere.cursor-mcp/#'],
    ['https:example.org/'],
    ['https:///example.org'],
    ['https://'],
    ['/callback'],
    ['example.org/callback'],
    ['com.example.app:oauth'],
    ['*'],
    [''],
    ['https://example.org/a b'],
    ['https://example.org/\r\nset-cookie: a=b'],
    ['https://exämple.org/'],
    ['https://example.org/"><script>'],
    [`https://example.org/${'a'.repeat(2048)}`],
    [7],
    [null],
    [{ uri: 'https://example.org/' }],
  ])('%j', (uri) => {
    expect(() => requireRedirectUris(['https://example.org/', uri])).toThrow(OAuthError);
    expect(() => requireRedirectUris(['https://example.org/', uri])).toThrow('redirect_uris[1]');
  });

  test.each([
    ['an empty list', []],
    ['no list', undefined],
    ['a text in the place of a list', 'https://example.org/'],
    ['21 of them', Array.from({ length: 21 }, (_, index) => `https://example.org/${index}`)],
    [
      'more than 8 kB of them',
      Array.from({ length: 5 }, () => `https://a.org/${'a'.repeat(1700)}`),
    ],
  ])('%s', (_, sent) => {
    expect(() => requireRedirectUris(sent)).toThrow(
      expect.objectContaining({ code: 'invalid_redirect_uri' }),
    );
  });
});

describe('refuses what the operating system or another program than the app handles', () => {
  test.each([
    'ms-msdt:/id',
    'ms-settings://network',
    'MS-Office.word://x',
    'ms-appx.web://x',
    'search-ms:/query=x',
    'SEARCH-MS:/query=x',
    'search:/x',
    'microsoft.windows.camera:/',
    'x-apple.systempreferences:/',
    'com.apple.tips:/callback',
    'itms-services://?action=download-manifest',
    'itms-apps://apps.apple.com/app',
    'intent://scan/#x',
    'intent://scan/',
    'tel:/+15550100',
    'sms:/+15550100',
    'facetime://x',
    'ssh://host/',
    'telnet://host/',
    'git://host/repo',
    'smb://host/share',
    'ldap://host/',
    'steam://run/1',
    'slack://open',
    'zoommtg://join',
    'chrome-extension://abcdef/callback',
    'invented://callback',
    'a.b_c:/x',
    '.com:/x',
    'com.:/x',
  ])('%s', (uri) => {
    expect(() => requireRedirectUris([uri])).toThrow(OAuthError);
    expect(isAllowedRedirectUri(uri)).toBe(false);
  });

  test.each([
    'cursor://anysphere.cursor-deeplink/mcp/install?name=x&config=e30',
    'cursor://anysphere.cursor-mcp/oauth/callback/../../install',
    'vscode://file/etc/passwd',
    'vscode://evil.extension/did-authenticate',
    'vscode-insiders://dynamicauthprovider/x/authorize',
    'windsurf://codeium.windsurf/openChat?prompt=x',
    'zed://ssh/host',
    'Cursor://anysphere.cursor-mcp/oauth/callback',
  ])('a known app’s address that does something else: %s', (uri) => {
    expect(() => requireRedirectUris([uri])).toThrow(OAuthError);
  });

  test('every scheme without a dot that no known app has', () => {
    const scheme = fc.stringMatching(/^[A-Za-z][A-Za-z0-9+-]{0,20}$/);
    const rest = fc.constantFrom('://x/callback', ':/callback', '://oauth/callback');
    const ours = /^(?:https|zed|mcpjam)$/i;
    fc.assert(
      fc.property(scheme, rest, (name, after) => {
        fc.pre(!ours.test(name));
        expect(isAllowedRedirectUri(name + after)).toBe(false);
      }),
    );
  });
});

describe('a code is sent', () => {
  test.each([
    ['https://example.org/cb', 'https://example.org/cb'],
    ['http://127.0.0.1/', 'http://127.0.0.1:49152/'],
    ['http://127.0.0.1', 'http://127.0.0.1:49152/'],
    ['http://127.0.0.1:33418/', 'http://127.0.0.1/'],
    ['http://localhost:8787/callback', 'http://localhost:60000/callback'],
    ['http://[::1]/cb?a=1', 'http://[::1]:5000/cb?a=1'],
    [
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'cursor://anysphere.cursor-mcp/oauth/callback',
    ],
  ])('where %s is registered, to %s', (registered, requested) => {
    expect(isRegistered(['https://other.example/', registered], requested)).toBe(true);
  });

  test.each([
    ['https://example.org/cb', 'https://example.org/cb/'],
    ['https://example.org/cb', 'https://example.org/cb?x=1'],
    ['https://example.org/cb', 'https://example.org:8443/cb'],
    ['https://example.org/cb', 'HTTPS://EXAMPLE.ORG/cb'],
    ['https://example.org/cb', 'https://example.org/cb#x'],
    ['http://127.0.0.1/', 'http://127.0.0.1:5000/other'],
    ['http://127.0.0.1/cb?a=1', 'http://127.0.0.1:5000/cb?a=2'],
    ['http://127.0.0.1/', 'http://localhost:5000/'],
    ['http://127.0.0.1/', 'https://127.0.0.1:5000/'],
    ['http://127.0.0.1/', 'http://127.0.0.1:99999/'],
    ['http://127.0.0.1/', 'http://127.0.0.1:5000@example.org/'],
    ['http://127.0.0.1/', 'http://127.0.0.1:5000/#x'],
    ['http://localhost/cb', 'http://localhost.example.org/cb'],
    ['cursor://a/b', 'cursor://a:1/b'],
  ])('where %s is registered, not to %s', (registered, requested) => {
    expect(isRegistered([registered], requested)).toBe(false);
  });
});

test.each([
  ['https://claude.ai/api/mcp/auth_callback', 'claude.ai'],
  ['https://example.org:8443/cb', 'example.org:8443'],
  ['http://127.0.0.1:33418/', '127.0.0.1'],
  ['http://[::1]:5000/', '[::1]'],
  ['cursor://anysphere.cursor-mcp/oauth/callback', 'cursor://anysphere.cursor-mcp'],
  ['com.example.app:/cb', 'com.example.app:'],
])('the consent page names for %s the host %s', (uri, host) => {
  expect(redirectHost(uri)).toBe(host);
});
