import { describe, expect, test } from '@jest/globals';
import { CodedError } from '../../../../core/errors.ts';
import { OAuthError, type OAuthErrorCode } from '../../../../core/oauth/oauth-error.ts';
import type { ApiRequest } from '../../../../lambdas/http/api-request.ts';
import { logger } from '../../../../lambdas/shared/logger.ts';
import { oauthErrorResponse, oauthSuccess } from '../../../../lambdas/oauth/oauth-response.ts';

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
  authorization_pending: 400,
  slow_down: 400,
  expired_token: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
};

describe('an error of the authorization server', () => {
  test.each(Object.entries(statuses))('%s is %i, stored by nobody', (code, status) => {
    const error = new OAuthError(code as OAuthErrorCode, 'What was wrong.');
    const answer = oauthErrorResponse(aRequest(), error);
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
    const answer = oauthErrorResponse(aRequest({ authorization }), new OAuthError(code, 'No.'));
    expect(answer.headers?.['www-authenticate']).toBe(
      challenged ? 'Basic realm="oauth"' : undefined,
    );
  });

  test('a rate limit answers with an OAuth error and Retry-After', () => {
    const error = new CodedError('RATE_LIMITED', { error: 'Too many.', retryAfterSeconds: 7 });
    const answer = oauthErrorResponse(aRequest(), error);
    expect(answer.statusCode).toBe(429);
    expect(answer.headers).toMatchObject({ 'retry-after': '7', 'cache-control': 'no-store' });
    expect(JSON.parse(answer.body)).toEqual({
      error: 'temporarily_unavailable',
      error_description: 'Too many.',
      nextStep: expect.stringContaining('Wait'),
      retryAfterSeconds: 7,
    });
  });

  test('an unexpected error is a 500 without details', () => {
    const answer = oauthErrorResponse(aRequest(), new Error('the table is away'));
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain('table');
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'INTERNAL', requestId: 'request-1' });
    expect(answer.headers).toMatchObject({ pragma: 'no-cache' });
  });
});

test('a success has Cache-Control: no-store', () => {
  const answer = oauthSuccess(aRequest(), 201, { client_id: 'a' });
  expect([answer.statusCode, JSON.parse(answer.body)]).toEqual([201, { client_id: 'a' }]);
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
});
