import { createHash } from 'node:crypto';
import type * as z from 'zod';
import {
  describeResource,
  parseProperties,
  type Resource,
  resourcesOfType,
} from '../../assembly/resource.ts';
import { StartError } from '../../errors.ts';
import { lambdaPermissions } from '../../iam/lambda-permissions.ts';
import { parseGatewayResponse } from './gateway-response.ts';
import { type OpenApiBody, ResponseType } from './openapi-body.ts';
import {
  ApiKeyProperties,
  DeploymentProperties,
  RestApiProperties,
  StageProperties,
  UsagePlanKeyProperties,
  UsagePlanProperties,
} from './resource-schemas.ts';
import type { ApiDefinition, LoggedCall, Route } from './api-model.ts';
import type { ThrottleSetting } from './throttle.ts';
import { requestTime } from '../request.ts';
import { parseIntegration, parseScheme, parseSecurity, type StageVariables } from './method.ts';

const prefix = 'AWS::ApiGateway::';

/** `Account` only turns on access logs. */
const knownTypes = new Set(
  ['Account', 'ApiKey', 'Deployment', 'RestApi', 'Stage', 'UsagePlan', 'UsagePlanKey'].map(
    (name) => prefix + name,
  ),
);

/**
 * Reads the REST API of the resolved templates: routes, authorizers and refusals from its OpenAPI
 * document, the rest from its stage. What the local gateway does not support stops the start.
 */
export function parseApiDefinition(resources: readonly Resource[]): ApiDefinition {
  for (const resource of resources) rejectUnknownType(resource);
  const api = parseOnly(resources, 'RestApi', RestApiProperties);
  const stage = parseOnly(resources, 'Stage', StageProperties);
  const { RestApiId: apiId, Variables: stageVariables = null } = stage.properties;
  rejectOtherApis(apiId, parseAll(resources, 'Deployment', DeploymentProperties));
  const body = api.properties.Body;
  const where = `${api.name}: property Body`;
  return {
    apiId,
    stageName: stage.properties.StageName,
    deploymentId: stage.properties.DeploymentId,
    stageVariables,
    binaryMediaTypes: body['x-amazon-apigateway-binary-media-types'],
    routes: parseRoutes(where, body, stageVariables ?? {}),
    gatewayResponses: gatewayResponses(where, body),
    mayInvoke: lambdaPermissions(resources),
    apiKeys: allowedApiKeys(resources, stage.properties),
    throttles: stage.properties.MethodSettings.map(throttleSetting),
    accessLine:
      stage.properties.AccessLogSetting &&
      accessLog(stage.name, stage.properties.AccessLogSetting.Format),
  };
}

function gatewayResponses(where: string, body: OpenApiBody): ApiDefinition['gatewayResponses'] {
  const name = 'x-amazon-apigateway-gateway-responses';
  return new Map(
    ResponseType.options.flatMap((type) => {
      const source = body[name][type];
      if (source === undefined) return [];
      return [[type, parseGatewayResponse(`${where}.${name}.${type}`, source)] as const];
    }),
  );
}

function throttleSetting(
  setting: z.output<typeof StageProperties>['MethodSettings'][number],
): ThrottleSetting {
  return {
    path: setting.ResourcePath.slice(1).replaceAll('~1', '/'),
    httpMethod: setting.HttpMethod,
    ratePerSecond: setting.ThrottlingRateLimit,
    burst: setting.ThrottlingBurstLimit,
  };
}

interface Parsed<T> {
  /** How messages name the resource. */
  name: string;
  properties: T;
}

function rejectUnknownType(resource: Resource): void {
  if (!resource.type.startsWith(prefix) || knownTypes.has(resource.type)) return;
  throw new StartError(
    `${describeResource(resource)}: the local cloud does not know this resource type.`,
  );
}

function parseAll<Schema extends z.ZodType>(
  resources: readonly Resource[],
  type: string,
  schema: Schema,
): readonly Parsed<z.output<Schema>>[] {
  return resourcesOfType(resources, prefix + type).map((resource) => ({
    name: describeResource(resource),
    properties: parseProperties(resource, schema),
  }));
}

function parseOnly<Schema extends z.ZodType>(
  resources: readonly Resource[],
  type: string,
  schema: Schema,
): Parsed<z.output<Schema>> {
  const [first, second] = parseAll(resources, type, schema);
  if (first !== undefined && second === undefined) return first;
  const found = second === undefined ? 'none' : `${first?.name} and ${second.name}`;
  throw new StartError(`The local gateway runs exactly one ${prefix}${type}; found ${found}.`);
}

function rejectOtherApis(apiId: string, parsed: readonly Parsed<{ RestApiId: string }>[]): void {
  const other = parsed.find(({ properties }) => properties.RestApiId !== apiId);
  if (other === undefined) return;
  throw new StartError(`${other.name}: property RestApiId names another API than the stage's.`);
}

const NO_VALUE = '-';

const VARIABLES: Readonly<Record<string, (logged: LoggedCall) => string>> = {
  'error.responseType': ({ refusal }) => refusal?.type ?? NO_VALUE,
  httpMethod: ({ call }) => call.request.method,
  'integration.latency': ({ functionMs }) => wholeMs(functionMs),
  requestId: ({ call }) => call.requestId,
  requestTime: ({ call }) => requestTime(call.receivedAt),
  resourceId: ({ route }) => route?.resourceId ?? NO_VALUE,
  responseLatency: ({ latencyMs }) => wholeMs(latencyMs),
  responseLength: ({ response: { body } }) => (Buffer.isBuffer(body) ? `${body.length}` : NO_VALUE),
  status: ({ response }) => String(response.status),
};

const VARIABLE = /\$context\.(\w+(?:\.\w+)*)/g;

/**
 * Returns a function that formats lines of the access log. An unknown variable in the template's format
 * stops the start. `name` is for messages.
 */
function accessLog(name: string, format: string): (logged: LoggedCall) => string {
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

function allowedApiKeys(
  resources: readonly Resource[],
  stage: { RestApiId: string; StageName: string },
): ReadonlySet<string> {
  const plans = resourcesOfType(resources, 'AWS::ApiGateway::UsagePlan').filter((resource) =>
    parseProperties(resource, UsagePlanProperties).ApiStages.some(
      ({ ApiId, Stage }) => ApiId === stage.RestApiId && Stage === stage.StageName,
    ),
  );
  const planIds = new Set(plans.map(({ logicalId }) => logicalId));
  const keyIds = new Set(
    resourcesOfType(resources, 'AWS::ApiGateway::UsagePlanKey')
      .map((resource) => parseProperties(resource, UsagePlanKeyProperties))
      .filter(({ UsagePlanId }) => planIds.has(UsagePlanId))
      .map(({ KeyId }) => KeyId),
  );
  return new Set(
    resourcesOfType(resources, 'AWS::ApiGateway::ApiKey')
      .map((resource) => ({
        id: resource.logicalId,
        ...parseProperties(resource, ApiKeyProperties),
      }))
      .filter(({ id, Enabled }) => Enabled && keyIds.has(id))
      .map(({ Value }) => Value),
  );
}

/** The routes of the document; `where` is for messages. */
function parseRoutes(where: string, body: OpenApiBody, variables: StageVariables): Route[] {
  const schemes = new Map(
    Object.entries(body.components.securitySchemes).map(([id, scheme]) => [
      id,
      parseScheme(`${where}.components.securitySchemes`, id, scheme),
    ]),
  );
  return Object.entries(body.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([name, operation]) => {
      if (operation === undefined) return [];
      const place = `${where}.paths.${path}.${name}`;
      const integration = operation['x-amazon-apigateway-integration'];
      return {
        resourceId: resourceId(path),
        path,
        httpMethod: name === 'x-amazon-apigateway-any-method' ? 'ANY' : name.toUpperCase(),
        integration: parseIntegration(
          `${place}.x-amazon-apigateway-integration`,
          integration,
          variables,
        ),
        ...parseSecurity(place, operation, schemes),
      };
    }),
  );
}

/** The service gives each path an id of its own making. */
function resourceId(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 10);
}
