import { expect, test } from '@jest/globals';
import type { HttpResponse } from '../../../http/http.ts';
import { aRequest, text } from '../edge-fixture.ts';
import { aFunction, context } from './a-viewer-function.ts';

const response: HttpResponse = {
  status: 200,
  headers: {
    'content-type': 'text/plain',
    'set-cookie': ['a=1', 'b=2'],
    vary: ['accept', 'origin'],
    via: '1.1 edge',
    'x-amzn-requestid': 'hidden',
  },
  body: Buffer.from('of the origin'),
};
const run = (body: string) =>
  aFunction(`var response = event.response; ${body}`).runForResponse(
    aRequest({ path: '/mcp' }),
    response,
    context,
  );
const answerOf = (body: string) => {
  const outcome = run(body);
  if (outcome.kind !== 'response') throw new Error(`${outcome.kind}: ${outcome.reason}`);
  return outcome.response;
};

test('sees status and headers of the response, and the request', () => {
  const seen = JSON.parse(
    text(answerOf('response.body = JSON.stringify(event); return response;')),
  );
  expect(seen.context.eventType).toBe('viewer-response');
  expect(seen.request.uri).toBe('/mcp');
  expect(seen.response).toEqual({
    statusCode: 200,
    headers: {
      'content-type': { value: 'text/plain' },
      vary: { value: 'accept', multiValue: [{ value: 'accept' }, { value: 'origin' }] },
      via: { value: '1.1 edge' },
    },
    cookies: {},
  });
});

test('returned as it is, the response stays as it was', () => {
  expect(answerOf('return response;')).toEqual(response);
});

test('changes the status, adds and removes headers, and leaves the body', () => {
  const changed = answerOf(
    `response.statusCode = 403; delete response.headers.vary;
     response.headers['www-authenticate'] = { value: 'Basic' }; return response;`,
  );
  expect(changed.status).toBe(403);
  expect(text(changed)).toBe('of the origin');
  const { vary: _, ...kept } = response.headers;
  expect(changed.headers).toEqual({ ...kept, 'www-authenticate': 'Basic' });
});

test.each([
  ["response.headers.via = { value: 'x' }; return response;", 'invalid'],
  ['delete response.headers.via; return response;', 'invalid'],
  ["response.headers['x-amzn-remapped-a'] = { value: 'x' }; return response;", 'invalid'],
  ["response.cookies.c = { value: '3' }; return response;", 'failed'],
  ['return event.request;', 'failed'],
  ['throw new Error("no");', 'failed'],
])('%s is %s', (body, kind) => {
  expect(run(body).kind).toBe(kind);
});
