import { describe, expect, test } from '@jest/globals';
import { matchRoute } from '../../gateway/match-route.ts';

const routes = [
  { path: '/', httpMethod: 'GET' },
  { path: '/{proxy+}', httpMethod: 'ANY' },
  { path: '/v1', httpMethod: 'GET' },
  { path: '/v1/projects', httpMethod: 'POST' },
  { path: '/v1/projects/{projectId}', httpMethod: 'GET' },
  { path: '/v1/projects/{projectId}', httpMethod: 'ANY' },
  { path: '/v1/projects/temp', httpMethod: 'POST' },
  { path: '/v1/projects/{projectId}/files/{path+}', httpMethod: 'GET' },
];

describe('matchRoute', () => {
  test.each([
    ['GET', '/', 'GET /', {}],
    ['GET', '', 'GET /', {}],
    ['GET', '/v1', 'GET /v1', {}],
    ['GET', '/v1/', 'GET /v1', {}],
    ['GET', '//v1', 'GET /v1', {}],
    ['GET', '/v1/projects/p_1', 'GET /v1/projects/{projectId}', { projectId: 'p_1' }],
    ['PUT', '/v1/projects/p_1', 'ANY /v1/projects/{projectId}', { projectId: 'p_1' }],
    ['GET', '/v1/projects/a%2Fb%20c', 'GET /v1/projects/{projectId}', { projectId: 'a%2Fb%20c' }],
    ['POST', '/v1/projects/temp', 'POST /v1/projects/temp', {}],
    [
      'GET',
      '/v1/projects/p/files/a/b%20c.txt',
      'GET /v1/projects/{projectId}/files/{path+}',
      { projectId: 'p', path: 'a/b%20c.txt' },
    ],
    [
      'GET',
      '/v1/projects/temp/files/x',
      'GET /v1/projects/{projectId}/files/{path+}',
      { projectId: 'temp', path: 'x' },
    ],
    ['DELETE', '/elsewhere/1', 'ANY /{proxy+}', { proxy: 'elsewhere/1' }],
    ['HEAD', '/elsewhere', 'ANY /{proxy+}', { proxy: 'elsewhere' }],
  ])('sends %s %s to %s', (method, path, expected, parameters) => {
    const match = matchRoute(routes, method, path);
    expect(`${match?.route.httpMethod} ${match?.route.path}`).toBe(expected);
    expect(match?.pathParameters).toEqual(parameters);
  });

  test.each([
    ['a path that exists without the method, even beside a proxy', 'DELETE', '/v1'],
    ['HEAD where only GET exists', 'HEAD', '/v1'],
    ['OPTIONS where no method exists', 'OPTIONS', '/'],
    ['a method that ANY does not stand for', 'PROPFIND', '/elsewhere'],
  ])('finds nothing for %s', (_name, method, path) => {
    expect(matchRoute(routes, method, path)).toBeUndefined();
  });

  test.each([
    ['/a/{b}', '/a'],
    ['/a/{b}', '/a/'],
    ['/a/{b}', '/a/b/c'],
    ['/a/{b}/c', '/a//c'],
    ['/a/{b+}', '/a/'],
    ['/A', '/a'],
  ])('does not match %s with %s', (pattern, path) => {
    expect(matchRoute([{ path: pattern, httpMethod: 'GET' }], 'GET', path)).toBeUndefined();
  });

  test('keeps a parameter that is named like a property of objects', () => {
    const match = matchRoute([{ path: '/{__proto__}', httpMethod: 'GET' }], 'GET', '/x');
    expect(Object.entries(match?.pathParameters ?? {})).toEqual([['__proto__', 'x']]);
  });
});
