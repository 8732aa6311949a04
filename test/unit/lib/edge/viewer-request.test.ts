import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { errorCatalogue } from '../../../../contract/errors.ts';
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

function load(file: string) {
  const context = createContext({});
  const code = readFileSync(new URL(`../../../../lib/edge/${file}`, import.meta.url), 'utf8');
  runInContext(code, context);
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
      runInContext('JSON.stringify(handler(JSON.parse(input)))', context),
    ) as EdgeRequest & EdgeResponse;
  };
}

const visit = load('viewer-request.js');
const call = load('app-viewer-request.js');
const host = (value: string) => ({ host: { value } });
const previewToken = `0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11.12.1772370000.${'a_-9'.repeat(10)}abc`;
const accessToken = `0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11.o.-.1772370000.${'a_-9'.repeat(10)}abc`;

describe('a visitor request', () => {
  test.each([
    ['demo.sites.example', 'demo.sites.example'],
    ['DEMO.Sites.Example', 'demo.sites.example'],
    ['demo.sites.localhost:8787', 'demo.sites.localhost'],
    ['demo.sites.example.', 'demo.sites.example'],
  ])('for host %s is for the site %s', (sent, expected) => {
    expect(visit({ headers: host(sent) }).headers['x-slipway-host']).toEqual({ value: expected });
  });

  test('loses every header of ours that a client sent, and keeps the others', () => {
    const { headers } = visit({
      headers: {
        ...host('demo.sites.example'),
        'x-slipway-host': { value: 'other.sites.example' },
        'x-slipway-access': { value: 'stolen' },
        'x-slipway-path': { value: '/other' },
        'x-slipway-preview': { value: previewToken },
        'x-slipway-cleared': { value: 'A'.repeat(43) },
        'x-slipway-worker': { value: 'script' },
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
      'x-slipway-path': { value: '/' },
      'x-slipway-access': { value: '-' },
      'x-slipway-preview': { value: '-' },
      'x-slipway-cleared': { value: '-' },
      'x-slipway-worker': { value: '-' },
      'x-slipway-query': { value: '-' },
      'x-slipway-fetch': { value: ',,,part' },
      'x-slipway-viewer': { value: '203.0.113.7' },
    });
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
  ])('with the field `Service-Worker: %s` says %s of a service worker', (value, worker) => {
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
  ])('passes the query on: %j', (querystring, value) => {
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
    [{ 'sec-fetch-mode': 'a,b,c', 'sec-fetch-dest': 'x'.repeat(50) }, ',,,'],
  ])('packs what the browser says of it: %j', (sent, value) => {
    const fields = Object.entries(sent).map(([name, text]) => [name, { value: text }]);
    const { headers } = visit({ headers: { ...host('a.example'), ...Object.fromEntries(fields) } });
    expect(headers['x-slipway-fetch']).toEqual({ value });
  });

  test('carries the access cookie where the cache key can see it', () => {
    const cookies = { '__Host-slipway-access': { value: accessToken } };
    expect(visit({ headers: host('a.example'), cookies }).headers['x-slipway-access']).toEqual({
      value: accessToken,
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

  test.each([
    ['GET', '/'],
    ['HEAD', '/a/b.html'],
    ['POST', '/_slipway/unlock'],
  ])('with %s %s passes', (method, uri) => {
    expect(visit({ method, uri, headers: host('a.example') })).toMatchObject({ method, uri });
  });

  test.each([
    ['POST', '/'],
    ['POST', '/_slipwayish/x'],
    ['POST', '/x/_slipway/unlock'],
    ['POST', '/_slipway/media/a/1/b'],
    ['PUT', '/_slipway/unlock'],
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

  test('for a large file asks the bucket for its key', () => {
    expect(visit({ uri: '/_slipway/media/p1/3/ab12', headers: host('a.example') }).uri).toBe(
      '/p1/3/ab12',
    );
  });

  test('for any other path leaves it alone', () => {
    const uri = '/docs/_slipway/media/a%20b';
    expect(visit({ uri, headers: host('a.example') }).uri).toBe(uri);
  });
});

describe('a request to the app', () => {
  test('tells the caller’s address in our header, whatever the client said', () => {
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

test('a path of nothing but slashes is read in no time', () => {
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
  ])('%s goes on as bytes, %s', (type, expected) => {
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
  ])('what is none, "%s", keeps its type, so that it is refused', (type) => {
    expect(sentAs(type)).toBe(type);
  });

  test.each([
    { uri: '/v1/projects' },
    { uri: '/mcp/more' },
    { uri: '/mcpx' },
    { uri: '/oauth/register' },
    { method: 'GET' },
  ])('is renamed nowhere else: %j', (more) => {
    expect(sentAs('application/json', more)).toBe('application/json');
  });

  test('without a type gets none', () => {
    expect(call({ method: 'POST', uri: '/mcp' }).headers).not.toHaveProperty('content-type');
  });
});

describe('a request larger than API Gateway takes', () => {
  const sized = (value: string) => call({ headers: { 'content-length': { value } } });

  test('is refused in our words', () => {
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

test.each(['viewer-request.js', 'app-viewer-request.js'])('%s fits CloudFront', (file) => {
  const bytes = readFileSync(new URL(`../../../../lib/edge/${file}`, import.meta.url)).length;
  expect(bytes).toBeLessThanOrEqual(10_240);
});
