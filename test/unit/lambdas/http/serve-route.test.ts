import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { getProject } from '../../../../contract/operations/projects.ts';
import { replaceProjectFiles } from '../../../../contract/operations/versions.ts';
import type { ApiRequest } from '../../../../lambdas/http/api-request.ts';
import { allowAnyOrigin } from '../../../../lambdas/http/endpoint.ts';
import { type RouteOptions, serveRoute } from '../../../../lambdas/http/serve-route.ts';

const declarable = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const methods = [...declarable, 'HEAD', 'OPTIONS'];
const routes = ['/v1/things', '/v1/things/{id}', '/page', '/{rest+}'];

const aRequest = (method: string, route: string, accept = '*/*') =>
  ({
    method,
    route,
    headers: { accept },
    caller: { requestId: 'request-1', address: '', limits: [] },
  }) as unknown as ApiRequest;

/** Bindings that answer which of them was called, and with which method. */
const served = (method: string, route: string) => ({
  method,
  route,
  serve: async (request: ApiRequest) => ({
    statusCode: 200,
    headers: { 'x-from': `${method} ${route}` },
    body: request.method,
  }),
});

const tables = fc.dictionary(
  fc.constantFrom(...routes),
  fc.uniqueArray(fc.constantFrom(...declarable, 'ANY'), { minLength: 1 }),
  { minKeys: 1 },
);

describe('any method on any route', () => {
  test('is served by its own binding only, and HEAD by that of GET', () =>
    fc.assert(
      fc.asyncProperty(
        tables,
        fc.constantFrom(...methods),
        fc.nat(),
        async (table, method, index) => {
          const route = Object.keys(table)[index % Object.keys(table).length] ?? '';
          const declared = table[route] ?? [];
          const bindings = Object.entries(table).flatMap(([path, own]) =>
            own.map((one) => served(one, path)),
          );
          const answer = await serveRoute(bindings, {}, aRequest(method, route));
          const wanted = method === 'HEAD' ? 'GET' : method;
          const by = [wanted, 'ANY'].find((one) => declared.includes(one));
          if (by !== undefined) {
            expect(answer.headers).toEqual({ 'x-from': `${by} ${route}` });
            expect(answer.body).toBe(method);
            return;
          }
          expect(answer.statusCode).toBe(method === 'OPTIONS' ? 204 : 405);
          const allowed = String(answer.headers?.['allow']).split(', ');
          const head = declared.includes('GET') ? ['HEAD'] : [];
          expect(allowed.toSorted()).toEqual([...declared, ...head, 'OPTIONS'].toSorted());
          expect(allowed).not.toContain(method === 'OPTIONS' ? '' : method);
        },
      ),
    ));
});

describe('a wrong method', () => {
  const id = getProject.path;
  const page = { statusCode: 405, headers: { 'content-type': 'text/html' }, body: '<h1>' };
  const withPage: RouteOptions = { wrongMethodPage: () => page };
  const browser = 'text/html,*/*;q=0.8';

  test('names the methods that another function serves at the path', async () => {
    const options = { elsewhere: [replaceProjectFiles] };
    const answer = await serveRoute([served('GET', id)], options, aRequest('POST', id));
    expect(answer.headers).toMatchObject({ allow: 'GET, HEAD, PUT, OPTIONS' });
    expect(JSON.parse(answer.body)).toMatchObject({
      status: 'error',
      code: 'METHOD_NOT_ALLOWED',
      nextStep: expect.stringContaining('GET, HEAD, PUT'),
    });
  });

  test.each([
    ['a page', '/page', browser, 'text/html'],
    ['a page, for a program', '/page', 'application/json', 'application/json; charset=utf-8'],
    ['an operation', '/health', browser, 'application/json; charset=utf-8'],
  ])('at %s gets the format that its callers read', async (_, route, accept, type) => {
    const isOperation = route !== '/page';
    const answer = await serveRoute(
      [{ ...served('GET', route), isOperation }],
      withPage,
      aRequest('POST', route, accept),
    );
    expect(answer.statusCode).toBe(405);
    expect(answer.headers).toMatchObject({ 'content-type': type, allow: 'GET, HEAD, OPTIONS' });
  });

  test('gets JSON on routes for other origins, whatever the Accept header', async () => {
    const bindings = [allowAnyOrigin(served('POST', '/page'))];
    const answer = await serveRoute(bindings, withPage, aRequest('GET', '/page', browser));
    expect(JSON.parse(answer.body).code).toBe('METHOD_NOT_ALLOWED');
  });
});
