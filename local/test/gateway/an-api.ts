import type { HttpRequest, HttpResponse } from '../../http/http.ts';
import type { Resource } from '../../assembly/resource.ts';
import { movableClock } from '../../time/clock.ts';
import { createRestApi } from '../../gateway/rest-api.ts';
import type { InvokeResult } from '../../lambda/invoke-result.ts';

export const functionArn = (name: string): string =>
  `arn:aws:lambda:us-east-1:000000000000:function:${name}`;

export const lambdaIntegration = (name: string, more: Record<string, unknown> = {}) => ({
  Type: 'AWS_PROXY',
  IntegrationHttpMethod: 'POST',
  Uri: `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/${functionArn(name)}/invocations`,
  ...more,
});

/** A resource of the service stack; `type` without `AWS::ApiGateway::`. */
export function aResource(
  type: string,
  logicalId: string,
  properties: Record<string, unknown>,
): Resource {
  const isApi =
    !type.includes('::') && !/^(?:RestApi|Account|ApiKey|UsagePlan|UsagePlanKey)$/.test(type);
  return {
    stack: 'Service',
    logicalId,
    type: type.includes('::') ? type : `AWS::ApiGateway::${type}`,
    properties: isApi ? { RestApiId: 'api', ...properties } : properties,
  };
}

export function aMethod(
  resourceId: string,
  httpMethod: string,
  integration: Record<string, unknown> = lambdaIntegration('system'),
  more: Record<string, unknown> = {},
): Resource {
  return aResource('Method', `${resourceId}${httpMethod}`, {
    ResourceId: resourceId,
    HttpMethod: httpMethod,
    AuthorizationType: 'NONE',
    Integration: integration,
    ...more,
  });
}

/** The stage, with an access log of this format. */
export function aStage(Format: string): Resource {
  return aResource('Stage', 'Stage', {
    StageName: 'live',
    DeploymentId: 'Deployment',
    AccessLogSetting: { DestinationArn: 'arn:aws:logs:…:log-group:AccessLog', Format },
  });
}

/** The smallest API that CDK makes: `/`, `/health`, `/v1/projects/{projectId}`, `/assets/{proxy+}`. */
export function anApi(): Resource[] {
  return [
    aResource('RestApi', 'Api', { Name: 'slipway', BinaryMediaTypes: ['multipart/form-data'] }),
    aResource('Account', 'Account', { CloudWatchRoleArn: 'arn' }),
    aResource('Deployment', 'Deployment', { Description: 'made by CDK' }),
    aStage('{"requestId":"$context.requestId","refusedBy":"$context.error.responseType"}'),
    aResource('Resource', 'health', { ParentId: 'root', PathPart: 'health' }),
    aResource('Resource', 'v1', { ParentId: 'root', PathPart: 'v1' }),
    aResource('Resource', 'projects', { ParentId: 'v1', PathPart: 'projects' }),
    aResource('Resource', 'project', { ParentId: 'projects', PathPart: '{projectId}' }),
    aResource('Resource', 'assets', { ParentId: 'root', PathPart: 'assets' }),
    aResource('Resource', 'asset', { ParentId: 'assets', PathPart: '{proxy+}' }),
    aMethod('root', 'GET'),
    aMethod('health', 'GET'),
    aMethod('projects', 'POST'),
    aMethod('project', 'ANY'),
    aMethod('asset', 'GET'),
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

export const gatewayResponse = (type: string, more: Record<string, unknown> = {}): Resource =>
  aResource('GatewayResponse', `Response${type}`, { ResponseType: type, ...more });
/** An error envelope as a gateway response may have it. */
export const envelope = {
  ResponseTemplates: {
    'application/json':
      '{"status":"error","error":$context.error.messageString,"type":"$context.error.responseType","requestId":"$context.requestId"}',
  },
};
