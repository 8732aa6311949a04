import type { APIGatewayProxyResult } from 'aws-lambda';
import { CodedError } from '../../core/errors.ts';
import { OAuthError, type OAuthErrorCode } from '../../core/oauth/oauth-error.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { errorResponse, jsonResponse } from '../http/api-response.ts';

/** No cache may store tokens (RFC 6749 §5.1), including HTTP/1.0 caches. */
const noStoreHeaders = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** Status of each error, and what the client should do next. */
const oauthErrors: Record<OAuthErrorCode, { status: 400 | 401; nextStep: string }> = {
  invalid_request: {
    status: 400,
    nextStep: 'Correct what `error_description` names, then send the request again.',
  },
  invalid_client: {
    status: 401,
    nextStep:
      'Check `client_id` and the client secret. Otherwise register again with POST /oauth/register and start a new authorization.',
  },
  invalid_grant: {
    status: 400,
    nextStep:
      'Discard this code or token and start a new authorization at /oauth/authorize, or at /oauth/device_authorization for a device code.',
  },
  unauthorized_client: {
    status: 400,
    nextStep: 'Use a grant type for which the client is registered.',
  },
  unsupported_grant_type: {
    status: 400,
    nextStep: 'Use a grant type of `grant_types_supported`.',
  },
  unsupported_response_type: { status: 400, nextStep: 'Use `response_type=code`.' },
  invalid_scope: {
    status: 400,
    nextStep: 'Request scopes that `scopes_supported` lists, or omit `scope`.',
  },
  invalid_target: {
    status: 400,
    nextStep: 'Send the `resource` from /.well-known/oauth-protected-resource, or omit it.',
  },
  access_denied: { status: 400, nextStep: 'Request access again only when the user starts it.' },
  authorization_pending: { status: 400, nextStep: 'Wait `interval` seconds, then ask again.' },
  slow_down: {
    status: 400,
    nextStep: 'Add 5 seconds to `interval` for all further requests, wait as long, then ask again.',
  },
  expired_token: { status: 400, nextStep: 'Begin again at /oauth/device_authorization.' },
  invalid_redirect_uri: {
    status: 400,
    nextStep:
      'Use https URIs, http URIs on 127.0.0.1, [::1] or localhost, or a private-use scheme such as com.example.app:/callback. Fragments are not allowed.',
  },
  invalid_client_metadata: {
    status: 400,
    nextStep: 'Correct what `error_description` names, then register again.',
  },
};

/** A successful response of the token, registration or revocation endpoint. */
export function oauthSuccess(
  { caller }: ApiRequest,
  status: 200 | 201,
  body: object,
): APIGatewayProxyResult {
  return jsonResponse(status, body, caller.requestId, noStoreHeaders);
}

/** An error in the form of RFC 6749 §5.2, RFC 7591 §3.2.2 and RFC 7009 §2.2.1. Unexpected errors are a 500 as everywhere. */
export function oauthErrorResponse(request: ApiRequest, error: unknown): APIGatewayProxyResult {
  const { requestId } = request.caller;
  if (error instanceof OAuthError) return protocolError(request, error);
  const answer = errorResponse(error, requestId);
  const headers = { ...answer.headers, ...noStoreHeaders };
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

function protocolError({ caller, headers }: ApiRequest, { code, message, reason }: OAuthError) {
  const { status, nextStep } = oauthErrors[code];
  const body = { error: code, error_description: message, nextStep, ...(reason && { reason }) };
  const challenged = status === 401 && /^basic /i.test(headers['authorization'] ?? '');
  return jsonResponse(status, body, caller.requestId, {
    ...noStoreHeaders,
    // Required by RFC 6749 §5.2.
    ...(challenged && { 'www-authenticate': 'Basic realm="oauth"' }),
  });
}
