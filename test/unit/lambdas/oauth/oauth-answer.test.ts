import { describe, expect, test } from '@jest/globals';
import { CodedError } from '../../../../core/errors.ts';
import { OAuthError, type OAuthErrorCode } from '../../../../core/oauth/oauth-error.ts';
import type { ApiRequest } from '../../../../lambdas/http/api-request.ts';
import { crossOrigin } from '../../../../lambdas/http/cross-origin.ts';
import { logger } from '../../../../lambdas/shared/logger.ts';
import { oauthRefusal, oauthSuccess } from '../../../../lambdas/oauth/oauth-answer.ts';

logger.setLogLevel('SILENT');

const aRequest = (headers: Record<string, string> = {}) =>
  ({
    headers,
    caller: { requestId: 'request-1', address: '', limits: [] },
  }) as unknown as ApiRequest;

const statuses: Record<OAuthErrorCode, number> = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  access_denied: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
};

describe('an error of the authorization server', () => {
  test.each(Object.entries(statuses))('%s is %i, stored by nobody', (code, status) => {
    const error = new OAuthError(code as OAuthErrorCode, 'What was wrong.');
    const answer = oauthRefusal(aRequest(), error);
    expect(answer.statusCode).toBe(status);
    expect(JSON.parse(answer.body)).toEqual({
      error: code,
      error_description: 'What was wrong.',
      nextStep: expect.stringMatching(/^[A-Z].{20,}\.$/),
    });
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
    expect(answer.headers).not.toHaveProperty('www-authenticate');
  });

  test.each([
    ['Basic YTpi', 'invalid_client', true],
    ['basic YTpi', 'invalid_client', true],
    ['Bearer a', 'invalid_client', false],
    ['Basic YTpi', 'invalid_grant', false],
  ] as const)('after %s, %s is challenged: %s', (authorization, code, challenged) => {
    const answer = oauthRefusal(aRequest({ authorization }), new OAuthError(code, 'No.'));
    expect(answer.headers?.['www-authenticate']).toBe(
      challenged ? 'Basic realm="oauth"' : undefined,
    );
  });

  test('too many requests say how long to wait, in the words of OAuth', () => {
    const error = new CodedError('RATE_LIMITED', { error: 'Too many.', retryAfterSeconds: 7 });
    const answer = oauthRefusal(aRequest(), error);
    expect(answer.statusCode).toBe(429);
    expect(answer.headers).toMatchObject({ 'retry-after': '7', 'cache-control': 'no-store' });
    expect(JSON.parse(answer.body)).toEqual({
      error: 'temporarily_unavailable',
      error_description: 'Too many.',
      nextStep: expect.stringContaining('Wait'),
      retryAfterSeconds: 7,
    });
  });

  test('what nobody expected is a 500 that tells nothing', () => {
    const answer = oauthRefusal(aRequest(), new Error('the table is away'));
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain('table');
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'INTERNAL', requestId: 'request-1' });
    expect(answer.headers).toMatchObject({ pragma: 'no-cache' });
  });
});

test('a success is stored by nobody', () => {
  const answer = oauthSuccess(aRequest(), 201, { client_id: 'a' });
  expect([answer.statusCode, JSON.parse(answer.body)]).toEqual([201, { client_id: 'a' }]);
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
});

describe('crossOrigin', () => {
  const open = (serve: () => Promise<any>) => crossOrigin({ method: 'GET', route: '/', serve });
  const allowed = {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': expect.stringContaining('WWW-Authenticate'),
  };

  test('lets pages of any origin read an answer', async () => {
    const answer = open(async () => ({ statusCode: 200, body: 'x', headers: { a: 'b' } }));
    expect((await answer.serve(aRequest())).headers).toEqual({ a: 'b', ...allowed });
  });

  test.each([
    [404, new CodedError('NOT_FOUND', { error: 'Nothing.' })],
    [500, new Error('broken')],
  ])('and an error of %i', async (status, error) => {
    const answer = await open(() => Promise.reject(error)).serve(aRequest());
    expect(answer.statusCode).toBe(status);
    expect(answer.headers).toMatchObject(allowed);
  });
});
