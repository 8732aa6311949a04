import { describe, expect, test } from '@jest/globals';
import { aRequest } from '../edge-fixture.ts';
import { aFunction, context, run, eventOf } from './a-viewer-function.ts';

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

  test('objects take properties that frozen prototypes have too', () => {
    expect(
      run(`var o = {}; o.toString = 1; o.constructor = 2; var e = new Error('a'); e.name = 'b'; e.message = 'c';
        return { statusCode: 200, body: [o.toString, o.constructor, String(e), Object.keys(o)].join(' ') };`),
    ).toMatchObject({ response: { body: Buffer.from('1 2 b: c toString,constructor') } });
  });

  test('after a run that failed, the next one works', () => {
    const fn = aFunction(
      'function handler(event) { if (event.request.uri === "/bad") throw new Error("no"); return event.request; }',
    );
    expect(fn.run(aRequest({ path: '/bad' }), context).kind).toBe('failed');
    expect(fn.run(aRequest({ path: '/good' }), context).kind).toBe('request');
  });

  test('an error names the line of the function', () => {
    const fn = aFunction('function handler() {\n  return missing();\n}');
    expect(fn.run(aRequest(), context)).toMatchObject({
      reason: expect.stringContaining('missing'),
    });
  });

  test.each([
    ['throws', 'throw new Error("no");'],
    ['rejects', 'return Promise.reject(new Error("no"));'],
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
