import type { HttpRequest, HttpResponse } from '../../http/http.ts';
import type { Resource } from '../../assembly/resource.ts';
import { movableClock } from '../../time/clock.ts';
import { createRestApi } from '../../gateway/rest-api.ts';
import type { InvokeResult } from '../../lambda/invoke-result.ts';

export const functionArn = (name: string): string =>
  `arn:aws:lambda:us-east-1:000000000000:function:${name}`;

const integration = 'x-amazon-apigateway-integration';

/** An operation of the OpenAPI document that a function serves. */
export const aFunction = (name: string, more: Record<string, unknown> = {}) => ({
  security: [],
  responses: {},
  [integration]: {
    type: 'aws_proxy',
    httpMethod: 'POST',
    uri: `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/${functionArn(name)}/invocations`,
    ...more,
  },
});

/** An operation that the gateway answers itself, with 200 unless told otherwise. */
export const aMock = (
  answer: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
) => ({
  security: [],
  responses: { 200: { description: 'Fixed' } },
  [integration]: {
    type: 'mock',
    passthroughBehavior: 'never',
    requestTemplates: { 'application/json': '{"statusCode":200}' },
    responses: { default: { statusCode: '200', ...answer } },
    ...more,
  },
});

/** A resource of the service stack; `type` without `AWS::ApiGateway::`. */
export function aResource(
  type: string,
  logicalId: string,
  properties: Record<string, unknown>,
): Resource {
  const ofApi = type === 'Stage' || type === 'Deployment';
  return {
    stack: 'Service',
    logicalId,
    type: type.includes('::') ? type : `AWS::ApiGateway::${type}`,
    properties: ofApi ? { RestApiId: 'api', ...properties } : properties,
  };
}

/** The stage, with an access log of this format. */
export function aStage(Format: string): Resource {
  return aResource('Stage', 'Stage', {
    StageName: 'live',
    DeploymentId: 'Deployment',
    AccessLogSetting: { DestinationArn: 'arn:aws:logs:…:log-group:AccessLog', Format },
  });
}

/** Parts of the document: operations by path, gateway responses by type, and other fields. */
interface DocumentParts {
  paths?: Record<string, Record<string, unknown>>;
  refusals?: Record<string, unknown>;
  more?: Record<string, unknown>;
}

/**
 * An API with `/`, `/health`, `/v1/projects`, `/v1/projects/{projectId}` and `/assets/{proxy+}`, and with
 * what is given: an operation more, or another one in its place.
 */
export function anApi({ paths = {}, refusals = {}, more = {} }: DocumentParts = {}): Resource[] {
  const own: NonNullable<DocumentParts['paths']> = {
    '/': { get: aFunction('system') },
    '/health': { get: aFunction('system') },
    '/v1/projects': { post: aFunction('system') },
    '/v1/projects/{projectId}': { 'x-amazon-apigateway-any-method': aFunction('system') },
    '/assets/{proxy+}': { get: aFunction('system') },
  };
  const all = { ...own, ...paths };
  return [
    aResource('RestApi', 'Api', {
      Name: 'slipway',
      Mode: 'overwrite',
      Body: {
        openapi: '3.0.1',
        info: { title: 'slipway', version: '1' },
        paths: Object.fromEntries(
          Object.entries(all).map(([path, item]) => [path, { ...own[path], ...item }]),
        ),
        'x-amazon-apigateway-binary-media-types': ['multipart/form-data'],
        'x-amazon-apigateway-gateway-responses': refusals,
        ...more,
      },
    }),
    aResource('Account', 'Account', { CloudWatchRoleArn: 'arn' }),
    aResource('Deployment', 'Deployment', {}),
    aStage('{"requestId":"$context.requestId","refusedBy":"$context.error.responseType"}'),
    aResource('AWS::Lambda::Permission', 'Permission', {
      Action: 'lambda:InvokeFunction',
      FunctionName: functionArn('system'),
      Principal: 'apigateway.amazonaws.com',
      SourceArn: 'arn:aws:execute-api:us-east-1:000000000000:api/*/*/*',
    }),
  ];
}

export function aRequest(overrides: Partial<HttpRequest> = {}): HttpRequest {
  return {
    method: 'GET',
    path: '/health',
    query: '',
    headers: {},
    body: Buffer.alloc(0),
    viewer: { address: '203.0.113.9', port: 50_000 },
    ...overrides,
  };
}

/** An API whose functions are `invoke`; collects events and log lines. */
export function aRestApi(
  resources: readonly Resource[] = anApi(),
  invoke: (event: unknown) => InvokeResult | Promise<InvokeResult> = () =>
    ok({ statusCode: 200, body: '{}' }),
) {
  const events: { functionName: string; event: unknown }[] = [];
  const lines: string[] = [];
  const clock = movableClock();
  const api = createRestApi({
    resources,
    clock,
    log: (line) => lines.push(line),
    invoke: async (functionName, event, onStart) => {
      onStart();
      events.push({ functionName, event });
      return await invoke(event);
    },
  });
  return { ...api, events, lines, clock };
}

export const ok = (payload: unknown): InvokeResult => ({ ok: true, payload, requestId: 'r' });

/** The text of an answer, which the gateway never streams. */
export function bodyOf({ body }: HttpResponse): string {
  if (!Buffer.isBuffer(body)) throw new Error('The body is a stream.');
  return body.toString();
}

/** An error envelope as a gateway response may have it. */
export const envelope = {
  responseTemplates: {
    'application/json':
      '{"status":"error","error":$context.error.messageString,"type":"$context.error.responseType","requestId":"$context.requestId"}',
  },
};
