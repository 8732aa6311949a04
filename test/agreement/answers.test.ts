import { expect, test } from '@jest/globals';
import { errorExample } from '../../contract/openapi/errors.ts';
import { checkAnswer } from '../fixtures/clouds/api-document.ts';

const answer = (status: number, body: unknown, headers = {}) => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'r', ...headers },
  text: JSON.stringify(body),
});
const ok = { status: 'ok', service: 'slipway' };
const key = errorExample('API_KEY_MISSING');
const deleted = (data: object) => ({ status: 'success', data });

test.each([
  ['a success', 'GET', '/health?x=1', answer(200, ok)],
  ['an error of the operation', 'GET', '/v1/user', answer(401, key)],
  ['a deletion', 'DELETE', '/v1/projects/some-id', answer(200, deleted({ deleted: true }))],
  ['an unknown route', 'GET', '/v1/none', answer(404, errorExample('NOT_FOUND'))],
  ['a page', 'GET', '/', { status: 200, headers: {}, text: '<html>' }],
])('%s passes the check of every answer', (_, method, path, given) => {
  expect(() => checkAnswer(method, path, given)).not.toThrow();
});

test.each([
  ['a status it does not have', 'GET', '/health', answer(201, ok)],
  ['a field more', 'GET', '/health', answer(200, { ...ok, more: 1 })],
  ['a field less', 'GET', '/health', answer(200, { status: 'ok' })],
  ['a field of another kind', 'DELETE', '/v1/projects/a', answer(200, deleted({ deleted: 'yes' }))],
  ['no envelope', 'DELETE', '/v1/projects/a', answer(200, { deleted: true })],
  ['an error at another status', 'GET', '/v1/user', answer(404, key)],
  ['an error that it does not name', 'GET', '/health', answer(401, key)],
  [
    'an error without its fields',
    'GET',
    '/v1/user',
    answer(429, { ...errorExample('RATE_LIMITED'), retryAfterSeconds: undefined }),
  ],
  ['an error with a field more', 'GET', '/v1/user', answer(401, { ...key, requestId: 'r' })],
  ['no code', 'GET', '/v1/none', answer(404, { message: 'Not Found' })],
  ['another media type', 'GET', '/health', answer(200, ok, { 'content-type': 'text/html' })],
  ['no id', 'GET', '/health', answer(200, ok, { 'x-request-id': undefined })],
])('an answer with %s does not', (_, method, path, given) => {
  expect(() => checkAnswer(method, path, given)).toThrow(/not as openapi|reference/);
});
