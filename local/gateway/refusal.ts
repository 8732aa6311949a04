import type { ResponseType } from './definition/openapi-body.ts';

/** An error of the gateway itself, before the template's gateway responses are applied. */
export interface Refusal {
  type: ResponseType;
  status: number;
  /** Null if the service sends no message. */
  message: string | null;
  /** The value of `x-amzn-ErrorType`. */
  errorType: string;
}

const serverError = 'InternalServerErrorException';

/** Every refusal of the local gateway, with the messages of the service. */
export const refusals = {
  unknownRoute: {
    type: 'MISSING_AUTHENTICATION_TOKEN',
    status: 403,
    message: 'Missing Authentication Token',
    errorType: 'MissingAuthenticationTokenException',
  },
  /** For an unknown route, the service expects an AWS signature in `Authorization`. */
  unknownRouteWithAuthorization: {
    type: 'INVALID_SIGNATURE',
    status: 403,
    message: 'Invalid key=value pair (missing equal-sign) in Authorization header.',
    errorType: 'IncompleteSignatureException',
  },
  /** `x-api-key` is missing or has no key of the stage. The service makes no difference. */
  invalidApiKey: {
    type: 'INVALID_API_KEY',
    status: 403,
    message: 'Forbidden',
    errorType: 'ForbiddenException',
  },
  throttled: {
    type: 'THROTTLED',
    status: 429,
    message: 'Too Many Requests',
    errorType: 'TooManyRequestsException',
  },
  requestTooLong: {
    type: 'REQUEST_TOO_LARGE',
    status: 413,
    message: 'Request Too Long',
    errorType: 'BadRequestException',
  },
  unsupportedMediaType: {
    type: 'UNSUPPORTED_MEDIA_TYPE',
    status: 415,
    message: 'Unsupported Media Type',
    errorType: 'BadRequestException',
  },
  /** An identity source of the authorizer is missing, or the authorizer refused. */
  unauthorized: {
    type: 'UNAUTHORIZED',
    status: 401,
    message: 'Unauthorized',
    errorType: 'UnauthorizedException',
  },
  /** The authorizer's policy has a Deny for this call. */
  expresslyDenied: {
    type: 'ACCESS_DENIED',
    status: 403,
    message: 'User is not authorized to access this resource with an explicit deny',
    errorType: 'AccessDeniedException',
  },
  /** The authorizer's policy does not allow this call. */
  notAllowed: {
    type: 'ACCESS_DENIED',
    status: 403,
    message: 'User is not authorized to access this resource',
    errorType: 'AccessDeniedException',
  },
  authorizerFailed: {
    type: 'AUTHORIZER_FAILURE',
    status: 500,
    message: null,
    errorType: 'AuthorizerFailureException',
  },
  /** The authorizer threw, returned no valid policy, or must not be called. */
  authorizerMisconfigured: {
    type: 'AUTHORIZER_CONFIGURATION_ERROR',
    status: 500,
    message: null,
    errorType: 'AuthorizerConfigurationException',
  },
  timedOut: {
    type: 'INTEGRATION_TIMEOUT',
    status: 504,
    message: 'Endpoint request timed out',
    errorType: serverError,
  },
  misconfigured: {
    type: 'API_CONFIGURATION_ERROR',
    status: 500,
    message: 'Internal server error',
    errorType: serverError,
  },
  /** Lambda itself refused the call, for example because of throttling. */
  functionUnavailable: {
    type: 'DEFAULT_5XX',
    status: 500,
    message: 'Internal server error',
    errorType: serverError,
  },
  /** The function failed, or did not return a valid proxy response. */
  functionFailed: {
    type: 'DEFAULT_5XX',
    status: 502,
    message: 'Internal server error',
    errorType: serverError,
  },
} as const satisfies Record<string, Refusal>;
