import type * as z from 'zod';
import {
  describeResource,
  resourcesOfType,
  parseProperties,
  type Resource,
} from '../../assembly/resource.ts';
import { StartError } from '../../errors.ts';
import { lambdaPermissions } from '../../iam/lambda-permissions.ts';
import { allowedApiKeys } from './api-keys.ts';
import { accessLog } from '../access-log.ts';
import { parseGatewayResponse } from './gateway-response.ts';
import { type OpenApiBody, ResponseType } from './openapi-body.ts';
import { DeploymentProperties, RestApiProperties, StageProperties } from './resource-schemas.ts';
import { parseRoutes } from './routes.ts';
import type { ApiDefinition } from './api-model.ts';
import type { ThrottleSetting } from './throttle.ts';

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
