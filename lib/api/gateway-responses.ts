import { commonHeaders, exposedHeaders } from '../../contract/common-headers.ts';
import { type ErrorCode, errorCatalogue } from '../../contract/errors.ts';
import { bearerChallenge } from '../../contract/oauth/oauth.ts';

/** An error response that API Gateway makes itself, without calling a function. */
export interface GatewayRefusal {
  type: string;
  code: ErrorCode;
  error: string;
  /** Replaces the next step of the error catalogue. */
  nextStep?: string;
  /** Which `WWW-Authenticate` header to send. API Gateway renames the header when a function sends it. */
  challenge?: 'no credential' | 'bad credential';
}

const connectStep =
  'Connect this app to your account, or send an API key as `Authorization: Bearer <API_KEY>`.';

/** Every error response type of API Gateway, with its code in the public error catalogue. */
export const gatewayRefusals: readonly GatewayRefusal[] = [
  // Sent when the authorizer of the MCP endpoint denies a request. No other route has an authorizer.
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
  // The authorizer was throttled, ran out of time or failed.
  { type: 'AUTHORIZER_FAILURE', code: 'UNAVAILABLE', error: 'The service is busy.' },
  { type: 'BAD_REQUEST_BODY', code: 'INVALID_REQUEST', error: 'The body is not valid.' },
  {
    type: 'BAD_REQUEST_PARAMETERS',
    code: 'INVALID_REQUEST',
    error: 'The parameters are not valid.',
  },
  { type: 'DEFAULT_4XX', code: 'INVALID_REQUEST', error: 'The request is not valid.' },
  // AWS does not document whether Lambda's throttling causes this one or INTEGRATION_FAILURE. After
  // either, callers may send the request again.
  { type: 'DEFAULT_5XX', code: 'UNAVAILABLE', error: 'The service is busy.' },
  { type: 'EXPIRED_TOKEN', code: 'API_KEY_EXPIRED', error: 'This credential has expired.' },
  { type: 'INTEGRATION_FAILURE', code: 'UNAVAILABLE', error: 'The service is busy.' },
  { type: 'INTEGRATION_TIMEOUT', code: 'TIMEOUT', error: 'The service took too long.' },
  // The request did not come through CloudFront, which adds the key. Callers have no such key.
  {
    type: 'INVALID_API_KEY',
    code: 'FORBIDDEN',
    error: 'This address does not accept direct requests.',
  },
  // An unknown route with an Authorization header: API Gateway takes the header for an AWS signature.
  {
    type: 'INVALID_SIGNATURE',
    code: 'NOT_FOUND',
    error: 'There is no operation at this method and path.',
  },
  {
    type: 'MISSING_AUTHENTICATION_TOKEN',
    code: 'NOT_FOUND',
    error: 'There is no operation at this method and path.',
  },
  { type: 'QUOTA_EXCEEDED', code: 'RATE_LIMITED', error: 'Too many requests.' },
  { type: 'REQUEST_TOO_LARGE', code: 'PAYLOAD_TOO_LARGE', error: 'The request is too large.' },
  {
    type: 'RESOURCE_NOT_FOUND',
    code: 'NOT_FOUND',
    error: 'There is no operation at this method and path.',
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

const quotedCommonHeaders = Object.fromEntries(
  Object.entries(commonHeaders).map(([name, value]) => [name, `'${value}'`]),
);

/** Seconds to wait after an error that is soon over. */
const waits: Partial<Record<ErrorCode, number>> = { RATE_LIMITED: 1, UNAVAILABLE: 5 };

/** Extra fields of some error codes, in API Gateway's template variables. */
const extras: Partial<Record<ErrorCode, Record<string, unknown>>> = {
  INTERNAL: { requestId: '$context.requestId' },
  INVALID_REQUEST: { details: [] },
};

/** The value of `x-amazon-apigateway-gateway-responses`: each error response by its type. */
export function gatewayResponses(baseUrl: string): Record<string, unknown> {
  return Object.fromEntries(
    gatewayRefusals.map((refusal) => [refusal.type, gatewayResponse(refusal, baseUrl)]),
  );
}

/**
 * Status, headers and body template of one error response, in the same envelope as functions send.
 * All origins may read them: browser apps must be able to read the errors of the API, of the MCP
 * endpoint and of the authorization server, and no response holds private data.
 */
function gatewayResponse(refusal: GatewayRefusal, baseUrl: string) {
  const { code, error } = refusal;
  const { status, nextStep } = errorCatalogue[code];
  const seconds = waits[code];
  return {
    statusCode: String(status),
    responseParameters: Object.fromEntries(
      Object.entries(responseHeaders(refusal, baseUrl)).map(([name, source]) => [
        `gatewayresponse.header.${name}`,
        source,
      ]),
    ),
    responseTemplates: {
      'application/json': JSON.stringify({
        status: 'error',
        error,
        code,
        nextStep: refusal.nextStep ?? nextStep,
        ...extras[code],
        ...(seconds !== undefined && { retryAfterSeconds: seconds }),
      }),
    },
  };
}

/** API Gateway expects fixed values in single quotes. */
function responseHeaders({ code, challenge }: GatewayRefusal, baseUrl: string) {
  const seconds = waits[code];
  return {
    'cache-control': "'no-store'",
    ...quotedCommonHeaders,
    'x-request-id': 'context.requestId',
    'access-control-allow-origin': "'*'",
    'access-control-expose-headers': `'${exposedHeaders}'`,
    ...(challenge !== undefined && {
      'www-authenticate': `'${challengeHeader(challenge, baseUrl)}'`,
    }),
    ...(seconds !== undefined && { 'retry-after': `'${seconds}'` }),
  };
}

/** RFC 6750 §3.1: no error where no credential was sent. */
function challengeHeader(kind: 'no credential' | 'bad credential', baseUrl: string): string {
  return bearerChallenge(baseUrl, kind === 'bad credential' ? { error: 'invalid_token' } : {});
}
