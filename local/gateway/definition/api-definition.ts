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
import { findAuthorizer, parseAuthorizer, parseIntegration } from './method.ts';
import { parseGatewayResponse } from './gateway-response.ts';
import {
  AuthorizerProperties,
  DeploymentProperties,
  GatewayResponseProperties,
  MethodProperties,
  ResourceProperties,
  RestApiProperties,
  StageProperties,
} from './resource-schemas.ts';
import type { ApiDefinition } from './api-model.ts';
import type { ThrottleSetting } from './throttle.ts';

const prefix = 'AWS::ApiGateway::';

/** `Account` only turns on access logs. */
const knownTypes = new Set(
  [
    'Account',
    'ApiKey',
    'Authorizer',
    'Deployment',
    'GatewayResponse',
    'Method',
    'Resource',
    'RestApi',
    'Stage',
    'UsagePlan',
    'UsagePlanKey',
  ].map((name) => prefix + name),
);

/**
 * Reads the REST API of the resolved templates. A resource or property that the local gateway does
 * not support stops the start.
 *
 * References between API resources must be resolved to logical ids; `RestApiId` and the root
 * resource id may have any value.
 */
export function parseApiDefinition(resources: readonly Resource[]): ApiDefinition {
  for (const resource of resources) rejectUnknownType(resource);
  const api = parseOnly(resources, 'RestApi', RestApiProperties);
  const stage = parseOnly(resources, 'Stage', StageProperties);
  const deployments = parseAll(resources, 'Deployment', DeploymentProperties);
  const methods = parseAll(resources, 'Method', MethodProperties);
  const paths = resourcePaths(
    parseAll(resources, 'Resource', ResourceProperties),
    methods.map((method) => method.properties.ResourceId),
  );
  const responses = parseAll(resources, 'GatewayResponse', GatewayResponseProperties);
  const authorizerResources = parseAll(resources, 'Authorizer', AuthorizerProperties);
  rejectOtherApis(stage.properties.RestApiId, [
    ...methods,
    ...deployments,
    ...responses,
    ...authorizerResources,
  ]);
  const authorizers = new Map(
    authorizerResources.map((one) => [one.logicalId, parseAuthorizer(one)]),
  );
  return {
    apiId: stage.properties.RestApiId,
    stageName: stage.properties.StageName,
    deploymentId: stage.properties.DeploymentId,
    stageVariables: stage.properties.Variables ?? null,
    binaryMediaTypes: api.properties.BinaryMediaTypes,
    routes: methods.map(({ name, properties }) => ({
      resourceId: properties.ResourceId,
      path: paths.get(properties.ResourceId) ?? '/',
      httpMethod: properties.HttpMethod,
      integration: parseIntegration(name, properties.Integration),
      authorizer: findAuthorizer(name, properties, authorizers),
      needsApiKey: properties.ApiKeyRequired,
    })),
    gatewayResponses: new Map(
      responses.map(({ name, properties }) => [
        properties.ResponseType,
        parseGatewayResponse(name, properties),
      ]),
    ),
    mayInvoke: lambdaPermissions(resources),
    apiKeys: allowedApiKeys(resources, stage.properties),
    throttles: stage.properties.MethodSettings.map(throttleSetting),
    accessLine:
      stage.properties.AccessLogSetting &&
      accessLog(stage.name, stage.properties.AccessLogSetting.Format),
  };
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
  logicalId: string;
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
    logicalId: resource.logicalId,
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

interface TreeResource {
  logicalId: string;
  name: string;
  properties: { ParentId: string; PathPart: string };
}

/**
 * The full path of every resource by its id. The root has no resource of its own: the one
 * referenced id without a resource is the root. A second one is an unresolved reference.
 */
function resourcePaths(
  resources: readonly TreeResource[],
  methodResourceIds: readonly string[],
): ReadonlyMap<string, string> {
  const byId = new Map(resources.map((resource) => [resource.logicalId, resource]));
  const referenced = [
    ...resources.map((resource) => resource.properties.ParentId),
    ...methodResourceIds,
  ];
  const [root, unresolved] = new Set(referenced.filter((id) => !byId.has(id)));
  if (unresolved !== undefined) {
    throw new StartError(
      `API Gateway resource ids ${root} and ${unresolved} both stand for the root of the API; resolve ParentId and ResourceId to logical ids.`,
    );
  }

  function pathOf(resource: TreeResource): string {
    const parent = byId.get(resource.properties.ParentId);
    return `${parent === undefined ? '' : pathOf(parent)}/${resource.properties.PathPart}`;
  }

  return new Map(resources.map((resource) => [resource.logicalId, pathOf(resource)]));
}
