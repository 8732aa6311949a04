import type * as z from 'zod';
import type { HttpResponse } from '../http.ts';
import { type GatewayCall, requestTime } from './gateway-call.ts';
import { firstMediaType } from './media-type.ts';
import type { Refusal } from './refusal.ts';
import type { GatewayResponseProperties, ResponseType } from './resource-schemas.ts';

/** What the template puts in place of a refusal of the service. */
export interface GatewayResponse {
  status: number | undefined;
  /** Header name (lower case) and source: `'literal'`, `context.<name>` or `method.request.header.<name>`. */
  headers: readonly (readonly [string, string])[];
  /** Body template by media type. */
  templates: Record<string, string>;
}

const contextNames = [
  'accountId',
  'apiId',
  'domainName',
  'error.message',
  'error.messageString',
  'error.responseType',
  'error.validationErrorString',
  'extendedRequestId',
  'httpMethod',
  'identity.sourceIp',
  'identity.userAgent',
  'path',
  'protocol',
  'requestId',
  'requestTime',
  'requestTimeEpoch',
  'stage',
] as const;
type ContextName = (typeof contextNames)[number];

const defaultTemplates: Record<string, string> = {
  'application/json': '{"message":$context.error.messageString}',
};

/** Checks and normalises a gateway response of the template; `name` is for error lines. */
export function gatewayResponse(
  name: string,
  properties: z.infer<typeof GatewayResponseProperties>,
): GatewayResponse {
  for (const template of Object.values(properties.ResponseTemplates)) checkTemplate(name, template);
  const headers = Object.entries(properties.ResponseParameters).map(([target, source]) => {
    const header = /^gatewayresponse\.header\.(.+)$/.exec(target)?.[1];
    if (header === undefined || !isSource(source)) {
      throw new Error(`${name}: property ResponseParameters maps ${target} from ${source}.`);
    }
    return [header.toLowerCase(), source] as const;
  });
  return {
    status: properties.StatusCode,
    headers,
    templates:
      Object.keys(properties.ResponseTemplates).length === 0
        ? defaultTemplates
        : properties.ResponseTemplates,
  };
}

/** The service substitutes variables only: `$util`, `$input` and directives would be sent as they are. */
function checkTemplate(name: string, template: string): void {
  const variables = template.match(/\$[A-Za-z!{][\w.]*/g) ?? [];
  const unknown = variables.find((variable) => !isContextName(variable.replace('$context.', '')));
  if (unknown === undefined) return;
  throw new Error(`${name}: property ResponseTemplates uses ${unknown}, which is not substituted.`);
}

function isSource(source: string): boolean {
  if (/^'.*'$/s.test(source) || /^method\.request\.header\..+$/.test(source)) return true;
  return source.startsWith('context.') && isContextName(source.slice('context.'.length));
}

function isContextName(name: string): name is ContextName {
  return contextNames.some((known) => known === name);
}

/** The answer for a refusal: its own gateway response first, then the default of its class, then the service's. */
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
