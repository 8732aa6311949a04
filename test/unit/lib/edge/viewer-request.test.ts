import { createContext, runInContext } from 'node:vm';
import { errorCatalogue } from '../../../../contract/errors.ts';
import { commonHeaders } from '../../../../contract/common-headers.ts';
import {
  type FrontPage,
  type ViewerRequestFile,
  viewerRequestCode,
} from '../../../../lib/edge/viewer-request-code.ts';
import { describe, expect, test } from '@jest/globals';

interface EdgeRequest {
  method: string;
  uri: string;
  headers: Record<string, { value: string }>;
  cookies: Record<string, { value: string }>;
  querystring: Record<string, { value: string }>;
}
interface EdgeResponse {
  statusCode: number;
  headers: Record<string, { value: string }>;
  body: { data: string };
}

function load(file: ViewerRequestFile, tenantParameter = '', frontPage?: FrontPage) {
  const context = createContext({});
  // CloudFront's module, which only an import in the first line gives.
  runInContext(
    `var groups = []; var cf = { createRequestOriginGroup(group) { groups.push(group); } };
    ${tenantParameter === '' ? '' : `cf.distributionTenant = { parameters: { get() { ${tenantParameter} } } };`}
    ${viewerRequestCode(file, frontPage).replace(/^import cf from 'cloudfront';\n/, '')}`,
    context,
  );
  return (request: Partial<EdgeRequest>, ip = '203.0.113.7') => {
    const event = {
      viewer: { ip },
      context: { requestId: 'edge-1' },
      request: {
        method: 'GET',
        uri: '/',
        headers: {},
        cookies: {},
        querystring: {},
        ...request,
      },
    };
    // As a CloudFront function gets it: made inside of its own world.
    context['input'] = JSON.stringify(event);
    return JSON.parse(
      runInContext(
        'groups = []; JSON.stringify({ ...handler(JSON.parse(input)), groups })',
        context,
      ),
    ) as EdgeRequest & EdgeResponse & { groups: unknown[] };
  };
}

const visit = load('viewer-request.js');
const call = load('app-viewer-request.js');
const host = (value: string) => ({ host: { value } });
const previewToken = `0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11.12.1772370000.${'a_-9'.repeat(10)}abc`;
const accessToken = `0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11.o.-.1772370000.${'a_-9'.repeat(10)}abc`;

test.each([
  '/',
  '/a/b.html',
  '/_slipway/zip/a',
  '/_slipway/own/token/a.txt',
  '/_slipway/assets/pdf-A1.js',
])('leaves %s to the origin group of its behavior', (uri) => {
  expect(visit({ uri }).groups).toEqual([]);
});

describe('the bare domain of all sites', () => {
  const frontPage = { sitesHost: 'sites.example.net', url: 'https://drop.example.org/' };
  const handle = load('viewer-request.js', '', frontPage);

  test.each([
    ['/', 'sites.example.net'],
    ['/a/b?c', 'SITES.example.net:443'],
    ['/_slipway/unlock', 'sites.example.net'],
  ])('leads to the app: %s at %s', (uri, name) => {
    const answer = handle({ uri, headers: host(name) });
    expect(answer).toMatchObject({
      statusCode: 302,
      headers: { location: { value: frontPage.url }, 'cache-control': { value: 'max-age=300' } },
    });
    for (const name of Object.keys(commonHeaders)) expect(answer.headers).toHaveProperty(name);
  });

  test('is no site, and no other method has an answer there', () => {
    expect(handle({ headers: host('a.sites.example.net') })).not.toHaveProperty('statusCode');
    expect(handle({ headers: host('example.net') })).not.toHaveProperty('statusCode');
    expect(handle({ method: 'DELETE', headers: host('sites.example.net') }).statusCode).toBe(405);
  });
});

describe('a large file', () => {
  const object = `/0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11/a1b2/${'0123456789abcdef'.repeat(2)}`;

  test.each([
    [`/_slipway/files${object}/a%20b.wasm`, 'gate', object],
    [`/_slipway/files${object}.br/a.wasm`, 'gate', `${object}.br`],
    [`/_slipway/isolated${object}/a.wasm`, 'gate', object],
    [`/_slipway/download${object}/token/a.mp4`, 'streams', object],
  ])('%s is decided by %s, and only its 416 leads to storage', (uri, originId, key) => {
    const { groups, headers, uri: sent } = visit({ uri });
    expect(groups).toEqual([
      {
        originIds: [{ originId }, { originId: 'storage' }],
        failoverCriteria: { statusCodes: [416] },
      },
    ]);
    expect(sent).toBe(key);
    expect(headers['x-slipway-path']?.value).toBe(uri);
  });

  test.each([
    // The function that CloudFront chooses does not read an address there.
    `/_slipway/files${object}/../../../../../a`,
    `/_slipway/download${object}/t/n/../../../../../../../x`,
    `/_slipway/files${object}/../../../../../_slipway/zip`,
    `/x/../_slipway/files${object}/a`,
    `/_slipway/fil%65s${object}/a`,
    `/_slipway/files/${object}/a`,
    `/_slipway/files${object}`,
    `/_slipway/files${object.toUpperCase()}/a`,
    `/_slipway/files${object}.gz/a`,
    `/_slipway/zip${object}/a`,
    `/files${object}/a`,
  ])('%s names none', (uri) => {
    const { groups, uri: sent } = visit({ uri });
    expect([sent, JSON.stringify(groups)]).toEqual(['/', expect.not.stringContaining('storage')]);
  });
});

describe('the custom domain of a request', () => {
  const id = '0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11';
  const sent = { headers: { 'x-slipway-domain': { value: id }, ...host('a.customer.com') } };

  test.each([
    ['the id that its tenant has', `return '${id}';`, id],
    ['nothing without a tenant', '', '-'],
    ['nothing for a tenant without the parameter', 'return undefined;', '-'],
    ['nothing if CloudFront knows no such parameter', `throw new Error('unknown');`, '-'],
    ['nothing for a value of another shape', `return 'a, b';`, '-'],
  ])('%s, whatever the client sent', (_, tenantParameter, expected) => {
    const headers = load('viewer-request.js', tenantParameter)(sent).headers;
    expect(headers['x-slipway-domain']?.value).toBe(expected);
  });
});

describe('the path that CloudFront signs for a function', () => {
  test.each([
    '/a%20b+c/%2F',
    '/_slipway/zip/a%20b',
    '/_slipway/assets/x(1).js',
    '/_slipway/zip/../../a',
    '/_slipwayer',
  ])('is the same for %s, which travels in a header', (uri) => {
    const { uri: sent, headers } = visit({ uri });
    expect(sent).toBe('/');
    expect(headers['x-slipway-path']).toEqual({ value: uri });
  });

  test.each([
    ['/a/../_slipway/unlock', 'forms', '/a/../_slipway/unlock'],
    ['//%5fslipway/unlock', 'forms', '//%5fslipway/unlock'],
  ])('%s has the behavior %s, and stays a path', (uri, _behavior, expected) => {
    const { uri: sent, groups } = visit({ uri });
    expect([sent, groups]).toEqual([expected, []]);
  });

  test('is signed without a hash that a visitor sent', () => {
    const { headers } = visit({ headers: { 'x-amz-content-sha256': { value: 'f'.repeat(64) } } });
    expect(headers).not.toHaveProperty('x-amz-content-sha256');
  });
});

describe('a visitor request', () => {
  test.each([
    ['demo.sites.example', 'demo.sites.example'],
    ['DEMO.Sites.Example', 'demo.sites.example'],
    ['demo.sites.localhost:8787', 'demo.sites.localhost'],
    ['demo.sites.example.', 'demo.sites.example'],
  ])('for host %s is for the site %s', (sent, expected) => {
    expect(visit({ headers: host(sent) }).headers['x-slipway-host']).toEqual({ value: expected });
  });

  test('loses every internal header that a client sent, and keeps the others', () => {
    const { headers } = visit({
      headers: {
        ...host('demo.sites.example'),
        'x-slipway-host': { value: 'other.sites.example' },
        'x-slipway-access': { value: 'stolen' },
        'x-slipway-path': { value: '/other' },
        'x-slipway-preview': { value: previewToken },
        'x-slipway-cleared': { value: 'A'.repeat(43) },
        'x-slipway-worker': { value: 'script' },
        'x-slipway-view': { value: 'data' },
        'x-slipway-viewer': { value: '198.51.100.1' },
        'x-slipway-origin': { value: 'guess' },
        'x-slipway-domain': { value: 'x' },
        range: { value: 'bytes=0-1' },
      },
    });
    expect(headers).toEqual({
      host: { value: 'demo.sites.example' },
      range: { value: 'bytes=0-1' },
      'x-slipway-host': { value: 'demo.sites.example' },
      'x-slipway-domain': { value: '-' },
      'x-slipway-path': { value: '/' },
      'x-slipway-access': { value: '-' },
      'x-slipway-preview': { value: '-' },
      'x-slipway-cleared': { value: '-' },
      'x-slipway-worker': { value: '-' },
      'x-slipway-view': { value: 'page' },
      'x-slipway-query': { value: '-' },
      'x-slipway-fetch': { value: ',,,part' },
      'x-slipway-viewer': { value: '203.0.113.7' },
      'x-slipway-wants': { value: 'GET,,bytes%3D0-1,' },
    });
  });

  test.each([
    ['If-None-Match', 'if-none-match', '"a", "b"', 'GET,%22a%22%2C%20%22b%22,,'],
    ['If-Range', 'if-range', '"a"', 'GET,,,%22a%22'],
  ])('says what the visitor has or wants of a file: %s', (_, name, value, wants) => {
    const { headers } = visit({ headers: { ...host('a.example'), [name]: { value } } });
    expect([headers[name], headers['x-slipway-wants']]).toEqual([{ value }, { value: wants }]);
  });

  test.each([
    ['of more than 512 characters', { value: '"'.padEnd(513, 'a') }],
    ['with other letters than ASCII', { value: '"\ud800"' }],
    ['sent twice', { value: '"a"', multiValue: [{ value: '"a"' }, { value: '"b"' }] }],
  ])('loses a condition %s, so that the whole file is sent and counted', (_, condition) => {
    const { headers } = visit({ headers: { ...host('a.example'), 'if-none-match': condition } });
    expect(headers['if-none-match']).toBeUndefined();
    expect(headers['x-slipway-wants']).toEqual({ value: 'GET,,,' });
  });

  test('carries the preview cookie where the cache key can see it', () => {
    const cookies = { '__Host-slipway-preview': { value: previewToken } };
    expect(visit({ headers: host('a.example'), cookies }).headers).toMatchObject({
      'x-slipway-preview': { value: previewToken },
      'x-slipway-access': { value: '-' },
    });
  });

  test.each([
    ['A'.repeat(43), 'A'.repeat(43)],
    ['A'.repeat(42), '-'],
    [`${'A'.repeat(42)}.`, '-'],
    [`${'A'.repeat(43)}\r\nx: y`, '-'],
  ])(
    'carries the mark of a browser that was cleared where the cache key can see it',
    (value, mark) => {
      const cookies = { '__Host-slipway-cleared': { value } };
      expect(visit({ headers: host('a.example'), cookies }).headers).toMatchObject({
        'x-slipway-cleared': { value: mark },
      });
    },
  );

  test.each([
    ['script', 'script'],
    ['Script', '-'],
    ['script, script', '-'],
    ['', '-'],
  ])('with the header `Service-Worker: %s` has %s as its service worker field', (value, worker) => {
    const headers = { ...host('a.example'), 'service-worker': { value } };
    expect(visit({ headers }).headers).toMatchObject({ 'x-slipway-worker': { value: worker } });
  });

  test.each([
    ['an empty preview cookie', ''],
    ['a junk one', 'junk'],
    ['one without signature', previewToken.replace(/[^.]+$/, '')],
    ['one with something before it', ` ${previewToken}`],
    ['one with something after it', `${previewToken}\r\nx: y`],
    ['one of version 0', previewToken.replace('.12.', '.0.')],
  ])('with %s counts as one without preview', (_, value) => {
    const cookies = { '__Host-slipway-preview': { value } };
    expect(visit({ headers: host('a.example'), cookies }).headers).toMatchObject({
      'x-slipway-preview': { value: '-' },
    });
  });

  test.each([
    ['65536', undefined],
    ['65537', 413],
    ['nonsense', undefined],
  ])('with a form of %s bytes answers %p', (length, status) => {
    const headers = { ...host('a.example'), 'content-length': { value: length } };
    const answer = visit({ method: 'POST', uri: '/_slipway/report', headers });
    expect(answer.statusCode).toBe(status);
    if (status !== undefined) {
      expect(JSON.parse(answer.body.data)).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    }
  });

  test.each([
    [{}, '-'],
    [{ a: { value: '1' }, b: { value: '' } }, 'a=1&b='],
    [{ a: { value: '1', multiValue: [{ value: '1' }, { value: '2' }] } }, 'a=1&a=2'],
    [{ a: { value: 'x'.repeat(3000) } }, '-'],
  ])('forwards the query: %j', (querystring, value) => {
    const { headers } = visit({ headers: host('a.example'), querystring });
    expect(headers['x-slipway-query']).toEqual({ value });
  });

  test.each([
    [
      { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none' },
      'navigate,document,none,',
    ],
    [{ 'sec-purpose': 'prefetch;prerender' }, ',,,prefetch;prerender'],
    [{ purpose: 'prefetch' }, ',,,prefetch'],
    [{ 'x-purpose': 'preview' }, ',,,preview'],
    [{ 'x-purpose': 'Preview' }, ',,,preview'],
    [{ 'sec-purpose': '', 'x-purpose': 'preview' }, ',,,preview'],
    [{ 'sec-purpose': 'none', 'x-purpose': 'preview' }, ',,,preview'],
    [{ 'sec-purpose': 'none', 'x-moz': 'prefetch' }, ',,,prefetch'],
    [{ 'x-purpose': 'preview, x' }, ',,,preview'],
    [{ 'x-purpose': 'x, preview' }, ',,,preview'],
    [{ purpose: 'x'.repeat(50), 'x-purpose': 'preview' }, ',,,preview'],
    [{ 'sec-purpose': 'none' }, ',,,'],
    [{ 'sec-purpose': 'prefetch\r\nx: y' }, ',,,'],
    [{ 'sec-fetch-mode': 'a,b,c', 'sec-fetch-dest': 'x'.repeat(50) }, ',,,'],
  ])('packs the browser’s headers: %j', (sent, value) => {
    const fields = Object.entries(sent).map(([name, text]) => [name, { value: text }]);
    const { headers } = visit({ headers: { ...host('a.example'), ...Object.fromEntries(fields) } });
    expect(headers['x-slipway-fetch']).toEqual({ value });
  });

  test.each([
    [{ 'sec-fetch-mode': 'navigate', accept: 'text/html' }, 'page'],
    [{ 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }, 'page'],
    [{ 'sec-fetch-mode': 'cors', accept: 'text/html' }, 'data'],
    [{ 'sec-fetch-mode': 'same-origin' }, 'data'],
    [{ 'sec-fetch-mode': 'no-cors', 'sec-purpose': 'prefetch' }, 'data'],
    [{}, 'page'],
    [{ accept: '*/*' }, 'page'],
    [{ accept: 'text/html,application/xhtml+xml;q=0.9' }, 'page'],
    [{ accept: 'application/json' }, 'data'],
    [{ accept: '*/*', 'x-requested-with': 'XMLHttpRequest' }, 'data'],
    [{ accept: '*/*', origin: 'https://a.example' }, 'data'],
    [{ accept: '*/*', 'sec-fetch-dest': 'empty' }, 'data'],
    [{ accept: '*/*', 'service-worker': 'script' }, 'data'],
  ])('tells who opens a page from a script that loads it: %j', (sent, view) => {
    const fields = Object.entries(sent).map(([name, value]) => [name, { value }]);
    const { headers } = visit({ headers: { ...host('a.example'), ...Object.fromEntries(fields) } });
    expect(headers['x-slipway-view']).toEqual({ value: view });
  });

  test('carries the access cookie where the cache key can see it', () => {
    const cookies = { '__Host-slipway-access': { value: accessToken } };
    expect(visit({ headers: host('a.example'), cookies }).headers['x-slipway-access']).toEqual({
      value: accessToken,
    });
  });

  test.each([
    [{ 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'script' }, false],
    [{ 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'iframe' }, false],
    [{ 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'empty' }, false],
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'document' }, true],
    [{ 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'script' }, true],
    [{ 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document' }, true],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' }, true],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'script' }, false],
    [{ 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'iframe' }, true],
    [
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'navigate' },
      true,
    ],
    [{ 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' }, false],
    [
      { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' },
      false,
    ],
    [{}, true],
  ])('of a page at another address of the sites carries no cookie: %j', (sent, carries) => {
    const fields = Object.entries(sent).map(([name, value]) => [name, { value }]);
    const headers = { ...host('a.example'), ...Object.fromEntries(fields) };
    const cookies = {
      '__Host-slipway-access': { value: accessToken },
      '__Host-slipway-preview': { value: previewToken },
    };
    expect(visit({ headers, cookies }).headers).toMatchObject({
      'x-slipway-access': { value: carries ? accessToken : '-' },
      'x-slipway-preview': { value: carries ? previewToken : '-' },
    });
  });

  test.each([
    ['no cookie of ours', { other: { value: 'x' } }],
    ['an empty one', { '__Host-slipway-access': { value: '' } }],
    ['junk', { '__Host-slipway-access': { value: 'a'.repeat(100) } }],
    [
      'a link that is no cookie',
      { '__Host-slipway-access': { value: accessToken.replace('.o.', '.l.') } },
    ],
    ['one with a line break', { '__Host-slipway-access': { value: `${accessToken}\r\nx: y` } }],
    ['one that is too long', { '__Host-slipway-access': { value: `${accessToken}a` } }],
    ['one without the host prefix', { 'slipway-access': { value: 'x' } }],
  ])('with %s counts as one without access', (_, cookies) => {
    expect(visit({ headers: host('a.example'), cookies }).headers['x-slipway-access']).toEqual({
      value: '-',
    });
  });

  test('sends a report of an open to the gate, with its query in a header', () => {
    const report = { uri: '/_slipway/seen', querystring: { id: { value: 'a' } } };
    const { uri, headers } = visit({ headers: host('a.example'), ...report });
    expect(uri).toBe('/');
    expect(headers).toMatchObject({
      'x-slipway-path': { value: '/_slipway/seen' },
      'x-slipway-query': { value: 'id=a' },
    });
  });

  test.each([
    ['GET', '/'],
    ['HEAD', '/'],
    ['POST', '/_slipway/unlock'],
  ])('with %s %s passes', (method, uri) => {
    expect(visit({ method, uri, headers: host('a.example') })).toMatchObject({ method, uri });
  });

  test.each([
    ['POST', '/'],
    ['POST', '/_slipwayish/x'],
    ['POST', '/x/_slipway/unlock'],
    ['POST', '/_slipway/media/a/1/b'],
    ['DELETE', '/a.html'],
    ['OPTIONS', '/'],
    ['PATCH', '/'],
  ])('with %s %s is refused before any function runs', (method, uri) => {
    const { statusCode, headers, body } = visit({ method, uri, headers: host('a.example') });
    expect(statusCode).toBe(405);
    expect(headers).toMatchObject({
      allow: { value: 'GET, HEAD' },
      'cache-control': { value: 'no-store' },
    });
    expect(JSON.parse(body.data)).toMatchObject({ status: 'error', code: 'METHOD_NOT_ALLOWED' });
  });

  test.each([
    ['/_slipway/unlock', 'POST'],
    ['/_slipway/open', 'POST'],
    ['/_slipway/owner', 'POST'],
    ['/_slipway/report', 'GET, HEAD, POST'],
    ['/_slipway/cleared', 'GET, HEAD'],
    ['/_slipway/preview/off', 'GET, HEAD'],
    ['/_slipway/owner/token', 'GET, HEAD'],
    ['/_slipway/assets/a.js', 'GET, HEAD'],
    ['/_slipway/nothing', 'GET, HEAD'],
    ['/_slipway/constructor', 'GET, HEAD'],
  ])('%s with a wrong method is refused, and Allow names %s', (uri, allow) => {
    const wrong = [
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      ...(allow.includes('POST') ? [] : ['POST']),
    ];
    for (const method of wrong) {
      const answer = visit({ method, uri, headers: host('a.example') });
      expect([method, answer.statusCode, answer.headers['allow']?.value]).toEqual([
        method,
        405,
        allow,
      ]);
    }
  });

  test('for any other path is sent to the gate', () => {
    const uri = '/docs/_slipway/media/a%20b';
    expect(visit({ uri, headers: host('a.example') })).toMatchObject({
      uri: '/',
      headers: { 'x-slipway-path': { value: uri } },
    });
  });
});

describe('a browser that asks before it reads an address for a page of another origin', () => {
  const asking = {
    'access-control-request-method': { value: 'GET' },
    'access-control-request-headers': { value: 'authorization,x-key' },
  };
  const ask = (uri: string) => visit({ uri, method: 'OPTIONS', headers: asking });
  const large = '/_slipway/files/a/1/b/large.bin';

  test.each(['/', '/data.json', '/a%2Fb', large])('at %s may send what it likes', (uri) => {
    const { statusCode, headers, groups } = ask(uri);
    expect([statusCode, groups]).toEqual([204, []]);
    expect(headers).toMatchObject({
      'access-control-allow-origin': { value: '*' },
      'access-control-allow-methods': { value: 'GET, HEAD' },
      'access-control-allow-headers': { value: 'authorization,x-key' },
      'cache-control': { value: 'no-store' },
    });
    // Whether a page may see the answer to somebody who signed in, nobody says here.
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  test.each(['/_slipway/unlock', '/a/../_slipway/unlock', '/%5Fslipway/zip'])(
    'at %s is refused',
    (uri) => {
      expect(ask(uri).statusCode).toBe(405);
    },
  );
});

describe('a request to the app', () => {
  test('has the caller’s IP address in our header, whatever the client sent', () => {
    const { headers } = call(
      {
        headers: {
          authorization: { value: 'Bearer k' },
          'x-slipway-viewer': { value: '198.51.100.1' },
          'x-slipway-origin': { value: 'guess' },
          'x-slipway-host': { value: 'demo.sites.example' },
        },
      },
      '2001:db8::1',
    );
    expect(headers).toEqual({
      authorization: { value: 'Bearer k' },
      'x-slipway-viewer': { value: '2001:db8::1' },
    });
  });
});

describe('a request for the dashboard', () => {
  const accepts = (value: string) => ({ 'accept-encoding': { value } });

  test.each([
    ['/dashboard', '/dashboard/index.html'],
    ['/dashboard/', '/dashboard/index.html'],
    ['/dashboard/projects/1/files', '/dashboard/index.html'],
    ['/dashboard/assets/index-A1.js', '/dashboard/assets/index-A1.js'],
    ['/dashboard/assets/a/b.js', '/dashboard/index.html'],
    ['/dashboard/config.json', '/dashboard/config.json'],
    ['/dashboard/pages.js', '/dashboard/pages.js'],
    ['/dashboard/index.html.br', '/dashboard/index.html'],
    ['/dashboard/../v1/user', '/dashboard/index.html'],
  ])('of %s is for %s', (uri, expected) => {
    expect(call({ uri }).uri).toBe(expected);
  });

  test.each(['/dashboards', '/', '/v1/dashboard'])('is not one of %s', (uri) => {
    expect(call({ uri })).toMatchObject({
      uri,
      headers: { 'x-slipway-viewer': { value: '203.0.113.7' } },
    });
  });

  test.each([
    ['br', '.br'],
    ['gzip, deflate, br, zstd', '.br'],
    ['gzip, br;q=0.5', '.br'],
    ['br;q=0', ''],
    ['gzip, br ; q=0.00 , *', ''],
    ['gzip', ''],
    ['brotli', ''],
  ])('of a browser that accepts %j has its compressed text as %j', (value, suffix) => {
    const headers = accepts(value);
    expect(call({ uri: '/dashboard', headers }).uri).toBe(`/dashboard/index.html${suffix}`);
    const font = '/dashboard/assets/a-A1.woff2';
    expect(call({ uri: font, headers }).uri).toBe(font);
  });

  test('carries nothing that a client sent in an internal header', () => {
    const headers = { 'x-slipway-viewer': { value: '198.51.100.1' } };
    expect(call({ uri: '/dashboard', headers }).headers).toEqual({});
  });

  test.each(['POST', 'PUT', 'DELETE'])('with %s is refused with 405', (method) => {
    expect(call({ uri: '/dashboard/keys', method })).toMatchObject({
      statusCode: 405,
      headers: { allow: { value: 'GET, HEAD, OPTIONS' } },
    });
  });

  test('says which methods it has', () => {
    expect(call({ uri: '/dashboard', method: 'OPTIONS' })).toMatchObject({ statusCode: 204 });
    expect(call({ uri: '/dashboard', method: 'HEAD' }).uri).toBe('/dashboard/index.html');
  });
});

describe('a request for a picture', () => {
  const accepts = (uri: string, accept: string) =>
    call({ uri, headers: { accept: { value: accept } } }).headers['accept'];

  test.each(['*/*', 'image/avif,image/webp,image/png,*/*;q=0.8', 'text/html'])(
    'that accepts %s accepts a PNG first, so that API Gateway sends bytes',
    (accept) => {
      expect(accepts('/qr/0b7e4c1a.png', accept)).toEqual({ value: 'image/png' });
    },
  );

  test.each(['/qr/0b7e4c1a.svg', '/v1/projects', '/qr/a/b.png', '/x/qr/a.png'])(
    '%s keeps what it accepts',
    (uri) => {
      expect(accepts(uri, 'text/html')).toEqual({ value: 'text/html' });
    },
  );
});

describe('a request for a public document', () => {
  const accepts = (uri: string, accept?: string) => {
    const headers = { 'accept-encoding': { value: 'gzip' } };
    const sent = accept === undefined ? headers : { ...headers, accept: { value: accept } };
    return call({ uri, headers: sent }).headers['accept']?.value;
  };
  const browser = 'text/html,application/xhtml+xml,*/*;q=0.8';

  test.each(['/', '/docs', '/docs/', '/docs/api/projects', '/connect', '/openapi.json'])(
    '%s accepts bytes first, so that its text can be compressed',
    (uri) => {
      expect(accepts(uri, browser)).toBe(`application/octet-stream, ${browser}`);
      expect(accepts(uri)).toBe('application/octet-stream, */*');
    },
  );

  test('of a client that takes no encoding keeps what it accepts', () => {
    const headers = { accept: { value: browser } };
    expect(call({ uri: '/', headers }).headers['accept']).toEqual({ value: browser });
  });

  test.each([
    '/claim/abc',
    '/upload/abc',
    '/oauth/authorize',
    '/v1/user',
    '/v1/keys',
    '/documents',
    '/x/docs',
    '/connections',
    '/llms.txt/x',
  ])('%s, which may contain a secret, is none', (uri) => {
    expect(accepts(uri, browser)).toBe(browser);
  });
});

test('OPTIONS has no media type, for which the gateway would answer 415', () => {
  const headers = { 'content-type': { value: 'text/plain' } };
  expect(call({ method: 'OPTIONS', uri: '/v1/projects', headers }).headers).not.toHaveProperty(
    'content-type',
  );
});

describe('a request with a slash at its end', () => {
  test.each([
    ['/mcp/', '/mcp'],
    ['/mcp//', '/mcp'],
    ['/oauth/token/', '/oauth/token'],
    ['/.well-known/oauth-protected-resource/mcp/', '/.well-known/oauth-protected-resource/mcp'],
  ])('%s is one for %s', (uri, expected) => {
    expect(call({ method: 'POST', uri }).uri).toBe(expected);
  });

  test.each(['/', '/mcp', '/v1/projects/', '/claim/abc/', '/.well-known/', '/oauth/', '/x/mcp/'])(
    '%s stays as it is',
    (uri) => {
      expect(call({ uri }).uri).toBe(uri);
    },
  );
});

test('a path of slashes only takes linear time', () => {
  const startedAt = performance.now();
  call({ uri: `/.well-known/${'/'.repeat(80_000)}x` });
  expect(performance.now() - startedAt).toBeLessThan(500);
});

describe('JSON for the MCP endpoint', () => {
  const sentAs = (value: string, more: { method?: string; uri?: string } = {}) =>
    call({ method: 'POST', uri: '/mcp', headers: { 'content-type': { value } }, ...more }).headers[
      'content-type'
    ]?.value;

  test.each([
    ['application/json', 'application/mcp+json'],
    ['Application/JSON', 'application/mcp+json'],
    ['application/json; charset=utf-8', 'application/mcp+json; charset=utf-8'],
    ['application/json ;charset=utf-8', 'application/mcp+json ;charset=utf-8'],
  ])('%s is forwarded as bytes, %s', (type, expected) => {
    expect(sentAs(type)).toBe(expected);
    expect(sentAs(type, { uri: '/mcp/' })).toBe(expected);
  });

  test.each([
    'text/plain',
    'application/jsonp',
    'application/json-seq',
    'application/ld+json',
    'text/plain; application/json',
    'multipart/form-data; boundary=x',
    '',
  ])('another type, "%s", is kept, so that the endpoint refuses it', (type) => {
    expect(sentAs(type)).toBe(type);
  });

  test.each([
    { uri: '/v1/projects' },
    { uri: '/mcp/more' },
    { uri: '/mcpx' },
    { uri: '/oauth/register' },
    { method: 'GET' },
  ])('is renamed for no other request: %j', (more) => {
    expect(sentAs('application/json', more)).toBe('application/json');
  });

  test('without a type gets none', () => {
    expect(call({ method: 'POST', uri: '/mcp' }).headers).not.toHaveProperty('content-type');
  });
});

describe('a request larger than the limit of API Gateway', () => {
  const sized = (value: string) => call({ headers: { 'content-length': { value } } });

  test('is refused with our own text', () => {
    const { statusCode, headers, body } = sized('10485761');
    expect(statusCode).toBe(413);
    expect(headers['x-request-id']).toEqual({ value: 'edge-1' });
    expect(headers['access-control-allow-origin']).toEqual({ value: '*' });
    expect(JSON.parse(body.data)).toMatchObject({
      status: 'error',
      code: 'PAYLOAD_TOO_LARGE',
      nextStep: errorCatalogue.PAYLOAD_TOO_LARGE.nextStep,
    });
  });

  test.each(['10485760', '0', 'nonsense'])('%s passes', (length) => {
    expect(sized(length).statusCode).toBeUndefined();
  });
});

describe.each(['viewer-request.js', 'app-viewer-request.js'] as const)('%s', (file) => {
  test('fits the limits of CloudFront', () => {
    expect(Buffer.byteLength(viewerRequestCode(file))).toBeLessThanOrEqual(10_240);
  });

  test('refuses with the headers of every response', () => {
    const tooMuch = { 'content-length': { value: String(2 ** 30) } };
    const { statusCode, headers } = load(file)({ headers: tooMuch });
    expect(statusCode).toBe(413);
    for (const [name, value] of Object.entries(commonHeaders)) {
      expect(headers[name]).toEqual({ value });
    }
  });
});

describe('a PUT to an upload link', () => {
  const link = '/v1/upload-links/token';
  const put = (uri: string, headers: Record<string, string> = {}) => {
    const sent = Object.entries(headers).map(([name, value]) => [name, { value }]);
    const { uri: to, headers: received } = call({
      method: 'PUT',
      uri,
      headers: Object.fromEntries(sent),
    });
    const value = (name: string) => received[name]?.value;
    return [to, value('content-type'), value('x-slipway-file-name'), value('x-slipway-file-type')];
  };
  const bytes = 'application/octet-stream';
  const form = 'multipart/form-data; boundary=x';
  const json = 'application/json';

  test.each<[string, string, Record<string, string>, (string | undefined)[]]>([
    ['without a type is a file', link, {}, [link, bytes, undefined, undefined]],
    [
      'of a type is a file',
      link,
      { 'content-type': 'text/css' },
      [link, bytes, undefined, 'text/css'],
    ],
    ['with a name is a file', `${link}/a%20b.txt`, {}, [link, bytes, 'a%20b.txt', undefined]],
    ['with an empty name is a file', `${link}/`, {}, [link, bytes, undefined, undefined]],
    ['with one slash too many is a file', `${link}//`, {}, [link, bytes, undefined, undefined]],
    [
      'with a name after two slashes is a file',
      `${link}//a.txt`,
      {},
      [link, bytes, 'a.txt', undefined],
    ],
    ['of a form stays one', link, { 'content-type': form }, [link, form, undefined, undefined]],
    [
      'of a form below it stays one',
      `${link}/`,
      { 'content-type': form },
      [link, form, undefined, undefined],
    ],
    ['of JSON names an upload', link, { 'content-type': json }, [link, json, undefined, undefined]],
    [
      'of named JSON is a file',
      link,
      { 'content-type': json, 'x-filename': 'a' },
      [link, bytes, undefined, json],
    ],
    [
      'loses a forged name',
      link,
      { 'x-slipway-file-name': 'a' },
      [link, bytes, undefined, undefined],
    ],
  ])('%s', (_, uri, headers, expected) => {
    expect(put(uri, headers)).toEqual(expected);
  });

  test('of a file called uploads is a file; JSON there is a wrong method', () => {
    expect(put(`${link}/uploads`)).toEqual([link, bytes, 'uploads', undefined]);
    expect(put(`${link}/uploads`, { 'content-type': json })).toEqual([
      `${link}/uploads`,
      json,
      undefined,
      undefined,
    ]);
  });

  test.each([
    ['OPTIONS', `${link}/a.txt`, link],
    ['GET', `${link}/a.txt`, link],
    ['HEAD', `${link}/`, link],
    ['OPTIONS', `${link}/uploads`, `${link}/uploads`],
    ['POST', `${link}/uploads`, `${link}/uploads`],
    ['DELETE', `${link}/a.txt`, `${link}/a.txt`],
  ])('%s of %s is one of %s', (method, uri, expected) => {
    const headers = { 'content-type': { value: 'text/css' } };
    const sent = call({ method, uri, headers });
    expect(sent.uri).toBe(expected);
    expect(sent.headers).not.toHaveProperty('x-slipway-file-name');
  });

  test.each([`${link}/a/b`, '/v1/upload-links', '/v1/projects/id'])(
    'that is none stays as it is: %s',
    (uri) => {
      expect(put(uri, { 'content-type': 'text/css' })).toEqual([
        uri,
        'text/css',
        undefined,
        undefined,
      ]);
    },
  );

  test('to /mcp that is too large for a function is refused as JSON-RPC', () => {
    const sized = (bytesSent: number, uri = '/mcp') =>
      call({ method: 'POST', uri, headers: { 'content-length': { value: String(bytesSent) } } });
    expect(sized(4_650_000).statusCode).toBeUndefined();
    for (const [bytes, uri] of [[4_650_001], [20_000_000], [4_650_001, '/mcp/']] as const) {
      const { statusCode, body } = sized(bytes, uri);
      expect(statusCode).toBe(413);
      expect(JSON.parse(body.data)).toMatchObject({
        jsonrpc: '2.0',
        id: null,
        error: {
          code: -32000,
          message: expect.stringContaining('create_upload_link'),
          data: { code: 'PAYLOAD_TOO_LARGE' },
        },
      });
    }
  });

  test('that is too large for a function gets the steps of a large upload', () => {
    const sized = (bytesSent: number, method = 'PUT') =>
      call({ method, uri: link, headers: { 'content-length': { value: String(bytesSent) } } });
    expect(sized(4_650_000).statusCode).toBeUndefined();
    expect(sized(4_650_001)).toMatchObject({ statusCode: 413 });
    expect(JSON.stringify(sized(4_650_001))).toContain('{link}/uploads');
    expect(sized(4_650_001, 'POST').statusCode).toBeUndefined();
  });
});
