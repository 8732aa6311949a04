import type { APIGatewayProxyResult } from 'aws-lambda';
import { CodedError } from '../../core/errors.ts';
import { OAuthError, type OAuthErrorCode } from '../../core/oauth/oauth-error.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { errorResponse, jsonResponse } from '../http/api-response.ts';

/** No cache keeps tokens (RFC 6749 §5.1), not even one of HTTP/1.0. */
const unstored = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** Status of each error, and what the client is to do next. */
const refusals: Record<OAuthErrorCode, { status: 400 | 401; nextStep: string }> = {
  invalid_request: {
    status: 400,
    nextStep: 'Correct what `error_description` names and send the request again.',
  },
  invalid_client: {
    status: 401,
    nextStep:
      'Check `client_id` and secret, or register again with POST /oauth/register and ask for authorization anew.',
  },
  invalid_grant: {
    status: 400,
    nextStep: 'Discard this code or token and ask for authorization anew at /oauth/authorize.',
  },
  unauthorized_client: {
    status: 400,
    nextStep: 'Use a grant type that the client is registered for.',
  },
  unsupported_grant_type: {
    status: 400,
    nextStep: 'Use `authorization_code` or `refresh_token`.',
  },
  unsupported_response_type: { status: 400, nextStep: 'Use `response_type=code`.' },
  invalid_scope: {
    status: 400,
    nextStep: 'Ask for scopes that `scopes_supported` lists, or leave `scope` out.',
  },
  invalid_target: {
    status: 400,
    nextStep: 'Send the `resource` of /.well-known/oauth-protected-resource, or leave it out.',
  },
  access_denied: { status: 400, nextStep: 'Ask the person again only when they begin it.' },
  invalid_redirect_uri: {
    status: 400,
    nextStep:
      'Send https URIs, `http:` only on this computer (127.0.0.1, [::1], localhost), or a scheme of your app, without fragments.',
  },
  invalid_client_metadata: {
    status: 400,
    nextStep: 'Correct what `error_description` names and register again.',
  },
};

/** A success of the token, registration or revocation endpoint. */
export function oauthSuccess(
  { caller }: ApiRequest,
  status: 200 | 201,
  body: object,
): APIGatewayProxyResult {
  return jsonResponse(status, body, caller.requestId, unstored);
}

/** An error as the RFCs want it: RFC 6749 §5.2, RFC 7591 §3.2.2, RFC 7009 §2.2.1; anything unexpected is a 500 like any other. */
export function oauthRefusal(request: ApiRequest, error: unknown): APIGatewayProxyResult {
  const { requestId } = request.caller;
  if (error instanceof OAuthError) return refused(request, error);
  const answer = errorResponse(error, requestId);
  const headers = { ...answer.headers, ...unstored };
  if (!(error instanceof CodedError) || error.code !== 'RATE_LIMITED') {
    return { ...answer, headers };
  }
  const { error: error_description, nextStep, retryAfterSeconds } = error.body;
  const body = {
    error: 'temporarily_unavailable',
    error_description,
    nextStep,
    retryAfterSeconds,
  };
  return { ...answer, headers, body: JSON.stringify(body) };
}

function refused({ caller, headers }: ApiRequest, { code, message }: OAuthError) {
  const { status, nextStep } = refusals[code];
  const body = { error: code, error_description: message, nextStep };
  const challenged = status === 401 && /^basic /i.test(headers['authorization'] ?? '');
  return jsonResponse(status, body, caller.requestId, {
    ...unstored,
    // RFC 6749 §5.2. API Gateway sends it on under another name.
    ...(challenged && { 'www-authenticate': 'Basic realm="oauth"' }),
  });
}
