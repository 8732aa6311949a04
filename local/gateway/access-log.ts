import { StartError } from '../errors.ts';
import { requestTime } from './request.ts';
import type { LoggedCall } from './definition/api-model.ts';

/** Written for a variable without a value. */
const NO_VALUE = '-';

/** The value of each variable. */
const VARIABLES: Readonly<Record<string, (logged: LoggedCall) => string>> = {
  'error.responseType': ({ refusal }) => refusal?.type ?? NO_VALUE,
  extendedRequestId: ({ call }) => call.extendedRequestId,
  httpMethod: ({ call }) => call.request.method,
  'identity.sourceIp': ({ call }) => call.request.viewer.address,
  'identity.userAgent': ({ call }) => call.request.headers['user-agent'] ?? NO_VALUE,
  'integration.latency': ({ functionMs }) => wholeMs(functionMs),
  path: ({ call }) => `/${call.api.stageName}${call.request.path}`,
  requestId: ({ call }) => call.requestId,
  requestTime: ({ call }) => requestTime(call.receivedAt),
  resourceId: ({ route }) => route?.resourceId ?? NO_VALUE,
  // Without a route, the safe assumption is that the service logs the path as sent.
  resourcePath: ({ route, call }) => route?.path ?? call.request.path,
  responseLatency: ({ latencyMs }) => wholeMs(latencyMs),
  responseLength: ({ response: { body } }) => (Buffer.isBuffer(body) ? `${body.length}` : NO_VALUE),
  stage: ({ call }) => call.api.stageName,
  status: ({ response }) => String(response.status),
  xrayTraceId: ({ call }) => call.traceId,
};

const VARIABLE = /\$context\.(\w+(?:\.\w+)*)/g;

/**
 * Returns a function that formats lines of the access log. An unknown variable in the template's format
 * stops the start. `name` is for messages.
 */
export function accessLog(name: string, format: string): (logged: LoggedCall) => string {
  const unknown = [...format.matchAll(VARIABLE)].find(([, key = '']) => !(key in VARIABLES));
  if (unknown !== undefined) {
    throw new StartError(
      `${name}: the local gateway does not know ${unknown[0]} of AccessLogSetting.`,
    );
  }
  return (logged) =>
    format.replaceAll(VARIABLE, (match, key: string) => VARIABLES[key]?.(logged) ?? match);
}

function wholeMs(ms: number | undefined): string {
  return ms === undefined ? NO_VALUE : String(Math.round(ms));
}
