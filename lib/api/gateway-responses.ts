import { type ErrorCode, errorCatalogue } from '../../contract/errors.ts';
import { bearerChallenge } from '../../contract/oauth/oauth.ts';

/** One refusal that API Gateway makes by itself, without calling a function. */
export interface GatewayRefusal {
  type: string;
  code: ErrorCode;
  error: string;
  /** In place of the catalogue's, where that does not fit whoever gets this refusal. */
  nextStep?: string;
  /** Which `WWW-Authenticate` it carries. A function's own would leave API Gateway under another name. */
  challenge?: 'no credential' | 'bad credential';
}

const connectStep =
  'Connect this app to your account, or send an API key as `Authorization: Bearer <API_KEY>`.';

/** Every refusal of API Gateway, and the code of the public catalogue that it stands for. */
export const gatewayRefusals: readonly GatewayRefusal[] = [
  // What the authorizer of the MCP endpoint denies; no other route has one.
  {
    type: 'ACCESS_DENIED',
    code: 'API_KEY_INVALID',
    error:
      'This access token or API key is not valid: it has expired, was revoked or is not known.',
    nextStep: connectStep,
    challenge: 'bad credential',
  },
  { type: 'API_CONFIGURATION_ERROR', code: 'INTERNAL', error: 'Something went wrong.' },
  { type: 'AUTHORIZER_CONFIGURATION_ERROR', code: 'INTERNAL', error: 'Something went wrong.' },
  { type: 'AUTHORIZER_FAILURE', code: 'INTERNAL', error: 'Something went wrong.' },
  { type: 'BAD_REQUEST_BODY', code: 'INVALID_REQUEST', error: 'The body is not valid.' },
  {
    type: 'BAD_REQUEST_PARAMETERS',
    code: 'INVALID_REQUEST',
    error: 'The parameters are not valid.',
  },
  { type: 'DEFAULT_4XX', code: 'INVALID_REQUEST', error: 'The request is not valid.' },
  { type: 'DEFAULT_5XX', code: 'INTERNAL', error: 'Something went wrong.' },
  { type: 'EXPIRED_TOKEN', code: 'API_KEY_EXPIRED', error: 'This credential has expired.' },
  { type: 'INTEGRATION_FAILURE', code: 'INTERNAL', error: 'Something went wrong.' },
  { type: 'INTEGRATION_TIMEOUT', code: 'TIMEOUT', error: 'The service took too long.' },
  { type: 'INVALID_API_KEY', code: 'API_KEY_INVALID', error: 'This credential is not valid.' },
  // What an unknown route answers when an Authorization header is sent: it is taken for a signature.
  {
    type: 'INVALID_SIGNATURE',
    code: 'NOT_FOUND',
    error: 'There is nothing at this method and path.',
  },
  {
    type: 'MISSING_AUTHENTICATION_TOKEN',
    code: 'NOT_FOUND',
    error: 'There is nothing at this method and path.',
  },
  { type: 'QUOTA_EXCEEDED', code: 'RATE_LIMITED', error: 'Too many requests.' },
  { type: 'REQUEST_TOO_LARGE', code: 'PAYLOAD_TOO_LARGE', error: 'The request is too large.' },
  {
    type: 'RESOURCE_NOT_FOUND',
    code: 'NOT_FOUND',
    error: 'There is nothing at this method and path.',
  },
  { type: 'THROTTLED', code: 'RATE_LIMITED', error: 'Too many requests.' },
  {
    type: 'UNAUTHORIZED',
    code: 'API_KEY_MISSING',
    error: 'No access token and no API key was sent.',
    nextStep: connectStep,
    challenge: 'no credential',
  },
  {
    type: 'UNSUPPORTED_MEDIA_TYPE',
    code: 'UNSUPPORTED_MEDIA_TYPE',
    error: 'This content type is not accepted here.',
  },
  { type: 'WAF_FILTERED', code: 'FORBIDDEN', error: 'The request was blocked.' },
];

/** Fields that a code carries beside the envelope, as API Gateway can fill them. */
const extras: Partial<Record<ErrorCode, Record<string, unknown>>> = {
  INTERNAL: { requestId: '$context.requestId' },
  INVALID_REQUEST: { details: [] },
  RATE_LIMITED: { retryAfterSeconds: 1 },
};

/**
 * Status, headers and body template of one refusal: the envelope that functions answer with as well.
 * Pages of other sites may read all of them, because their apps have to read those of the MCP
 * endpoint and the authorization server, and none holds anything of anybody.
 */
export function gatewayAnswer(refusal: GatewayRefusal, baseUrl: string) {
  const { code, error, challenge } = refusal;
  const { status, nextStep } = errorCatalogue[code];
  return {
    statusCode: String(status),
    responseHeaders: {
      'cache-control': "'no-store'",
      'x-content-type-options': "'nosniff'",
      'x-request-id': 'context.requestId',
      'access-control-allow-origin': "'*'",
      'access-control-expose-headers': "'WWW-Authenticate'",
      ...(challenge !== undefined && {
        'www-authenticate': `'${challengeOf(challenge, baseUrl)}'`,
      }),
      ...(code === 'RATE_LIMITED' && { 'retry-after': "'1'" }),
    },
    templates: {
      'application/json': JSON.stringify({
        status: 'error',
        error,
        code,
        nextStep: refusal.nextStep ?? nextStep,
        ...extras[code],
      }),
    },
  };
}

/** RFC 6750 §3.1: no error where no credential was sent. */
function challengeOf(kind: 'no credential' | 'bad credential', baseUrl: string): string {
  return bearerChallenge(baseUrl, kind === 'bad credential' ? { error: 'invalid_token' } : {});
}
