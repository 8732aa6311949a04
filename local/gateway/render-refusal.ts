import type { HttpResponse } from '../http/http.ts';
import { firstMediaType, requestTime } from './request.ts';
import type { GatewayCall } from './definition/api-model.ts';
import {
  type ContextName,
  defaultTemplates,
  isContextName,
} from './definition/gateway-response.ts';
import type { Refusal } from './refusal.ts';
import type { ResponseType } from './definition/openapi-body.ts';

/** The response for a refusal: by its own gateway response, else by the default for 4xx or 5xx, else as the service sends it. */
export function renderRefusal(call: GatewayCall, refusal: Refusal): HttpResponse {
  const responses = call.api.gatewayResponses;
  const response = responses.get(refusal.type) ??
    responses.get(refusal.status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX') ?? {
      status: undefined,
      headers: [],
      templates: defaultTemplates,
    };
  const values = contextValues(call, refusal);
  const mediaType = templateType(response.templates, call.request.headers['accept']);
  const body = (response.templates[mediaType] ?? '').replaceAll(
    /\$context\.(\w+(?:\.\w+)*)/g,
    (variable, name: string) => (isContextName(name) ? values[name] : variable),
  );
  return {
    status: response.status ?? refusal.status,
    headers: {
      'content-type': mediaType,
      'x-amzn-requestid': call.requestId,
      'x-amzn-errortype': refusal.errorType,
      'x-amz-apigw-id': call.extendedRequestId,
      ...Object.fromEntries(
        response.headers.map(([name, source]) => [name, headerValue(call, values, source)]),
      ),
    },
    body: Buffer.from(call.request.method === 'HEAD' ? '' : body),
  };
}

function templateType(templates: Record<string, string>, accept: string | undefined): string {
  const types = Object.keys(templates);
  const accepted = types.find((type) => type === firstMediaType(accept));
  return accepted ?? types.find((type) => type === 'application/json') ?? types[0] ?? '';
}

function headerValue(
  call: GatewayCall,
  values: Record<ContextName, string>,
  source: string,
): string {
  if (source.startsWith("'")) return source.slice(1, -1);
  const name = source.replace(/^context\./, '');
  if (isContextName(name)) return values[name];
  return call.request.headers[source.replace('method.request.header.', '').toLowerCase()] ?? '';
}

function contextValues(call: GatewayCall, refusal: Refusal): Record<ContextName, string> {
  const { api, request } = call;
  const responseType: ResponseType = refusal.type;
  return {
    accountId: '000000000000',
    apiId: api.apiId,
    domainName: call.domainName,
    'error.message': refusal.message ?? '',
    'error.messageString': JSON.stringify(refusal.message),
    'error.responseType': responseType,
    'error.validationErrorString': '',
    extendedRequestId: call.extendedRequestId,
    httpMethod: request.method,
    'identity.sourceIp': request.viewer.address,
    'identity.userAgent': request.headers['user-agent'] ?? '',
    path: `/${api.stageName}${request.path}`,
    protocol: 'HTTP/1.1',
    requestId: call.requestId,
    requestTime: requestTime(call.receivedAt),
    requestTimeEpoch: String(call.receivedAt.getTime()),
    stage: api.stageName,
  };
}
