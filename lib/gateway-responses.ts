import { type ErrorCode, errorCatalogue } from '../contract/errors.ts';

/** One refusal that API Gateway makes by itself, without calling a function. */
export interface GatewayRefusal {
  type: string;
  code: ErrorCode;
  error: string;
}

/** Every refusal of API Gateway, and the code of the public catalogue that it stands for. */
export const gatewayRefusals: readonly GatewayRefusal[] = [
  { type: 'ACCESS_DENIED', code: 'FORBIDDEN', error: 'Access is denied.' },
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
  { type: 'UNAUTHORIZED', code: 'API_KEY_MISSING', error: 'No API key was sent.' },
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

/** Status, headers and body template of one refusal: the envelope that functions answer with as well. */
export function gatewayAnswer({ code, error }: GatewayRefusal) {
  const { status, nextStep } = errorCatalogue[code];
  return {
    statusCode: String(status),
    responseHeaders: {
      'cache-control': "'no-store'",
      'x-content-type-options': "'nosniff'",
      'x-request-id': 'context.requestId',
      ...(code === 'RATE_LIMITED' && { 'retry-after': "'1'" }),
    },
    templates: {
      'application/json': JSON.stringify({
        status: 'error',
        error,
        code,
        nextStep,
        ...extras[code],
      }),
    },
  };
}
