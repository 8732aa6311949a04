import { describe, expect, test } from '@jest/globals';
import { viewerFunction } from '../../../edge/viewer-function/viewer-function.ts';
import type { HttpRequest } from '../../../http/http.ts';
import { aRequest, aResource, text } from '../edge-fixture.ts';

const aFunction = (body: string, properties: Record<string, unknown> = {}) =>
  viewerFunction(
    aResource('Function', 'Fn', {
      AutoPublish: true,
      FunctionCode: body.includes('handler') ? body : `function handler(event) { ${body} }`,
      FunctionConfig: { Comment: '', Runtime: 'cloudfront-js-2.0' },
      ...properties,
    }),
  );
const context = { distributionId: 'Visitor', requestId: 'id' };
const run = (body: string, request: HttpRequest = aRequest()) =>
  aFunction(body).run(request, context);
const echo = 'return { statusCode: 200, body: JSON.stringify(event) };';
const eventOf = (request: HttpRequest) => {
  const outcome = run(echo, request);
  return outcome.kind === 'response' ? JSON.parse(text(outcome.response)) : undefined;
};

describe('viewer function', () => {
  test('gets the event structure of version 1.0, with cookies separate from headers', () => {
    const event = eventOf(
      aRequest({
        path: '/a%20b',
        query: 'x=1&y=%C3%A4&x=2&flag',
        headers: {
          cookie: 'a=1; b=2=3; a=4',
          accept: '*/*',
          connection: 'close',
          'x-amz-cf-id': 'forged',
        },
      }),
    );
    expect(event).toEqual({
      version: '1.0',
      context: {
        distributionDomainName: 'visitor.cloudfront.net',
        distributionId: 'Visitor',
        eventType: 'viewer-request',
        requestId: 'id',
      },
      viewer: { ip: '192.0.2.7' },
      request: {
        method: 'GET',
        uri: '/a%20b',
        querystring: {
          x: { value: '1', multiValue: [{ value: '1' }, { value: '2' }] },
          y: { value: '%C3%A4' },
          flag: { value: '' },
        },
        headers: { host: { value: 'a.sites.localhost:8787' }, accept: { value: '*/*' } },
        cookies: {
          a: { value: '1', multiValue: [{ value: '1' }, { value: '4' }] },
          b: { value: '2=3' },
        },
      },
    });
  });

  test('preserves query and cookies byte for byte if it does not change them', () => {
    const request = aRequest({ query: 'b&a=&c=%2f', headers: { cookie: 'a=1;b=2' } });
    const outcome = run('event.request.headers.x = { value: "1" }; return event.request;', request);
    expect(outcome).toEqual({
      kind: 'request',
      request: { ...request, headers: { ...request.headers, x: '1' } },
    });
  });

  test('rebuilds path, query and Cookie header from what it changed', () => {
    const outcome = run(
      `var r = event.request; r.uri = '/new'; delete r.cookies.a; r.cookies.c = { value: '3' };
       r.querystring = { q: { value: '1', multiValue: [{ value: '1' }, { value: '2' }] } }; return r;`,
      aRequest({ query: 'x=1', headers: { cookie: 'a=1; b=2' } }),
    );
    expect(outcome).toMatchObject({
      request: { path: '/new', query: 'q=1&q=2', headers: { cookie: 'b=2; c=3' } },
    });
  });

  test('drops the Cookie header with the last cookie', () => {
    const outcome = run(
      'event.request.cookies = {}; return event.request;',
      aRequest({ headers: { cookie: 'a=1' } }),
    );
    expect(outcome.kind === 'request' && outcome.request.headers).not.toHaveProperty('cookie');
  });

  test('answers by itself with headers, cookies and a base64 body', () => {
    const outcome = run(
      `return { statusCode: 302, statusDescription: 'Found', headers: { Location: { value: '/x' } },
        cookies: { a: { value: '1', attributes: 'Path=/; Secure' } }, body: { encoding: 'base64', data: 'aGk=' } };`,
    );
    expect(outcome).toEqual({
      kind: 'response',
      response: {
        status: 302,
        headers: { location: '/x', 'set-cookie': ['a=1; Path=/; Secure'] },
        body: Buffer.from('hi'),
      },
    });
  });

  test('may be async', () => {
    const outcome = run(
      'async function handler(event) { await null; event.request.uri = "/later"; return event.request; }',
    );
    expect(outcome).toMatchObject({ kind: 'request', request: { path: '/later' } });
  });

  test.each([
    'require',
    'process',
    'setTimeout',
    'setInterval',
    'fetch',
    'Buffer',
    'globalThis.global',
    'WebAssembly',
  ])('has no %s', (name) => {
    expect(run(`return { statusCode: 200, body: typeof ${name} };`)).toMatchObject({
      response: { body: Buffer.from('undefined') },
    });
  });

  test.each([
    'this.constructor.constructor("return process")().exit',
    'console.log.constructor("return process")()',
    'event.constructor.constructor("return process")()',
    'eval("1")',
    'new Function("return 1")()',
  ])('cannot escape through %s', (code) => {
    expect(run(`console.log('x'); return { statusCode: 200, body: String(${code}) };`).kind).toBe(
      'failed',
    );
  });

  test('keeps no state between requests', () => {
    const fn = aFunction(
      'var count = 0; function handler() { count += 1; return { statusCode: 200, body: String(count) }; }',
    );
    fn.run(aRequest(), context);
    expect(fn.run(aRequest(), context)).toMatchObject({ response: { body: Buffer.from('1') } });
  });

  test.each([
    ['a global variable', 'leaked = 1;', 'typeof leaked'],
    ['a property of the global object', 'globalThis.leaked = 1;', 'typeof leaked'],
    ['a replaced global', 'Array = function () {};', 'Array.name'],
    ['a deleted global', 'delete globalThis.Array;', 'typeof Array'],
    ['a getter', 'Object.defineProperty(globalThis, "leaked", { get: () => 1 });', 'typeof leaked'],
    [
      'a polluted prototype',
      'try { Object.prototype.leaked = 1; } catch (_) {}',
      'typeof ({}).leaked',
    ],
    [
      'the prototype of a value',
      'try { "".__proto__.leaked = 1; } catch (_) {}',
      'typeof "".leaked',
    ],
    ['a replaced method', 'try { Array.prototype.map = 1; } catch (_) {}', 'typeof [].map'],
    [
      'a hidden prototype',
      '(async function () {}).__proto__.leaked = 1;',
      'typeof (async function () {}).leaked',
    ],
    ['an iterator', '[].values().__proto__.leaked = 1;', 'typeof [].values().leaked'],
    ['a property of console', 'console.leaked = 1;', 'typeof console.leaked'],
    ['a property of JSON', 'JSON.parse = 1;', 'typeof JSON.parse'],
    ['the last match', '/x/.test("x");', 'String(RegExp.lastMatch)'],
    [
      'the prototype of the global object',
      'try { Object.setPrototypeOf(globalThis, { leaked: 1 }); } catch (_) {}',
      'typeof leaked',
    ],
    ['the input', 'edgeInput = "x";', 'typeof edgeInput'],
    ['a replaced console', 'console = { log() {}, leaked: 1 };', 'typeof console.leaked'],
    [
      'an input that cannot be written',
      'Object.defineProperty(globalThis, "edgeInput", { writable: false });',
      'event.request.uri',
    ],
    [
      'a getter in place of the input',
      'Object.defineProperty(globalThis, "edgeInput", { get: () => "{}" });',
      'typeof event.request',
    ],
    [
      'a late promise',
      'Promise.resolve().then(() => { globalThis.leaked = 1; });',
      'typeof leaked',
    ],
  ])('18: leaves nothing for the next request: %s', (_what, change, look) => {
    const fn = aFunction(
      `function handler(event) { var seen = String(${look}); ${change}
        return { statusCode: 200, body: seen }; }`,
    );
    const bodies = [1, 2, 3].map(() => {
      const outcome = fn.run(aRequest(), context);
      return outcome.kind === 'response' ? text(outcome.response) : outcome.kind;
    });
    expect(new Set(bodies).size).toBe(1);
  });

  test('18: objects take properties that frozen prototypes have too', () => {
    expect(
      run(`var o = {}; o.toString = 1; o.constructor = 2; var e = new Error('a'); e.name = 'b'; e.message = 'c';
        return { statusCode: 200, body: [o.toString, o.constructor, String(e), Object.keys(o)].join(' ') };`),
    ).toMatchObject({ response: { body: Buffer.from('1 2 b: c toString,constructor') } });
  });

  test('18: after a run that failed, the next one works', () => {
    const fn = aFunction(
      'function handler(event) { if (event.request.uri === "/bad") for (;;) {} return event.request; }',
    );
    expect(fn.run(aRequest({ path: '/bad' }), context).kind).toBe('failed');
    expect(fn.run(aRequest({ path: '/good' }), context).kind).toBe('request');
  });

  test('18: an error names the line of the function', () => {
    const fn = aFunction('function handler() {\n  return missing();\n}');
    expect(fn.run(aRequest(), context)).toMatchObject({
      reason: expect.stringContaining('missing'),
    });
  });

  test.each([
    ['throws', 'throw new Error("no");'],
    ['rejects', 'return Promise.reject(new Error("no"));'],
    ['never ends', 'for (;;) {}'],
    ['waits for ever', 'return new Promise(function () {});'],
    ['returns nothing', 'return;'],
    ['returns text', 'return "x";'],
    ['returns a relative address', 'event.request.uri = "x"; return event.request;'],
    ['returns an impossible status', 'return { statusCode: 99 };'],
  ])('fails when it %s', (_what, body) => {
    expect(run(body).kind).toBe('failed');
  });

  test.each([
    ['sets the host', 'event.request.headers.host = { value: "evil" };'],
    ['deletes the host', 'delete event.request.headers.host;'],
    ['adds a Via header', 'event.request.headers.via = { value: "x" };'],
    ['adds a header of CloudFront', 'event.request.headers["X-Amz-Cf-Id"] = { value: "x" };'],
    ['adds X-Real-IP', 'event.request.headers["x-real-ip"] = { value: "x" };'],
    ['changes the method', 'event.request.method = "HEAD";'],
  ])('is invalid when it %s', (_what, change) => {
    expect(run(`${change} return event.request;`).kind).toBe('invalid');
  });

  test.each([
    [
      'more than 10 kB of code',
      { FunctionCode: `function handler() {} //${'x'.repeat(10_240)}` },
      'FunctionCode',
    ],
    ['code that does not compile', { FunctionCode: 'function (' }, 'does not compile'],
    [
      'the old runtime',
      { FunctionConfig: { Runtime: 'cloudfront-js-1.0' } },
      'FunctionConfig.Runtime',
    ],
    ['a function that is not published', { AutoPublish: false }, 'AutoPublish'],
    [
      'a key value store',
      { FunctionConfig: { Runtime: 'cloudfront-js-2.0', KeyValueStoreAssociations: [{}] } },
      'KeyValueStoreAssociations',
    ],
  ])('refuses %s', (_what, properties, message) => {
    expect(() => aFunction('return event.request;', properties)).toThrow(message);
  });
});
