import { createContext, runInContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { carryChallenge } from '../../../../lambdas/http/endpoint.ts';
import { viewerResponseCode } from '../../../../lib/edge/viewer-request-code.ts';

const edge = createContext({});
runInContext(viewerResponseCode(), edge);

/** What CloudFront makes of a function's answer below 400. */
function atTheEdge(statusCode: number, headers: Record<string, unknown> = {}) {
  const values = Object.entries(headers).map(([name, value]) => [name, { value: String(value) }]);
  edge['input'] = JSON.stringify({
    response: { statusCode, headers: Object.fromEntries(values), cookies: {} },
  });
  return JSON.parse(runInContext('JSON.stringify(handler(JSON.parse(input)))', edge) as string);
}

test.each([
  [401, 'Basic realm="oauth"', 'Unauthorized'],
  [403, 'Bearer error="insufficient_scope", scope="projects:write"', 'Forbidden'],
])('a %i with a challenge arrives as the function meant it', (statusCode, challenge, words) => {
  const answer = { statusCode, headers: { 'www-authenticate': challenge, 'x-a': 'b' }, body: '{}' };
  const carried = carryChallenge(answer);
  expect(carried).toMatchObject({ statusCode: 200, body: '{}' });
  expect(carried.headers).not.toHaveProperty('www-authenticate');
  expect(atTheEdge(carried.statusCode, carried.headers)).toEqual({
    statusCode,
    statusDescription: words,
    headers: { 'www-authenticate': { value: challenge }, 'x-a': { value: 'b' } },
    cookies: {},
  });
});

test('every other answer passes unchanged', () => {
  const answer = { statusCode: 403, headers: { 'x-a': 'b' }, body: 'no' };
  expect(carryChallenge(answer)).toBe(answer);
  const headers = { 'x-a': { value: 'b' } };
  expect(atTheEdge(200, { 'x-a': 'b' })).toEqual({ statusCode: 200, headers, cookies: {} });
});
