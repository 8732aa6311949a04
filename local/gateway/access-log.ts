import { requestTime } from './gateway-call.ts';
import type { LoggedCall } from './definition/api-model.ts';

/** Stands for a variable without a value. */
const absent = '-';

/** What the service writes for each variable of a format. */
const variables: Readonly<Record<string, (logged: LoggedCall) => string>> = {
  'error.responseType': ({ refusal }) => refusal?.type ?? absent,
  extendedRequestId: ({ call }) => call.extendedRequestId,
  httpMethod: ({ call }) => call.request.method,
  'identity.sourceIp': ({ call }) => call.request.viewer.address,
  'identity.userAgent': ({ call }) => call.request.headers['user-agent'] ?? absent,
  'integration.latency': ({ functionMs }) => whole(functionMs),
  path: ({ call }) => `/${call.api.stageName}${call.request.path}`,
  requestId: ({ call }) => call.requestId,
  requestTime: ({ call }) => requestTime(call.receivedAt),
  resourceId: ({ route }) => route?.resourceId ?? absent,
  // Where no route matches, the worst is assumed of the service: that it writes what was sent.
  resourcePath: ({ route, call }) => route?.path ?? call.request.path,
  responseLatency: ({ latencyMs }) => whole(latencyMs),
  responseLength: ({ response: { body } }) => (Buffer.isBuffer(body) ? `${body.length}` : absent),
  stage: ({ call }) => call.api.stageName,
  status: ({ response }) => String(response.status),
  xrayTraceId: ({ call }) => call.traceId,
};

const variable = /\$context\.(\w+(?:\.\w+)*)/g;

/**
 * Makes the lines of the access log from the format of the template; throws on a variable that the
 * local gateway cannot fill in, naming it. `name` is for error lines.
 */
export function accessLog(name: string, format: string): (logged: LoggedCall) => string {
  const unknown = [...format.matchAll(variable)].find(([, key = '']) => !(key in variables));
  if (unknown !== undefined) {
    throw new Error(`${name}: the local gateway does not know ${unknown[0]} of AccessLogSetting.`);
  }
  return (logged) =>
    format.replaceAll(variable, (whole, key: string) => variables[key]?.(logged) ?? whole);
}

function whole(ms: number | undefined): string {
  return ms === undefined ? absent : String(Math.round(ms));
}
