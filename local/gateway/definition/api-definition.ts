import * as z from 'zod';
import type { Resource } from '../../http/http.ts';
import { accessLog } from '../access-log.ts';
import { authorizerFor, authorizerOf } from './authorizer.ts';
import { gatewayResponse } from '../gateway-response.ts';
import { integrationOf } from './integration.ts';
import type { Permission } from './permission.ts';
import {
  AuthorizerProperties,
  DeploymentProperties,
  GatewayResponseProperties,
  MethodProperties,
  PermissionProperties,
  ResourceProperties,
  RestApiProperties,
  StageProperties,
} from './resource-schemas.ts';
import { resourcePaths } from './resource-paths.ts';
import type { ApiDefinition } from './api-model.ts';

const prefix = 'AWS::ApiGateway::';

/** `Account` only turns on access logs. */
const knownTypes = new Set(
  [
    'Account',
    'Authorizer',
    'Deployment',
    'GatewayResponse',
    'Method',
    'Resource',
    'RestApi',
    'Stage',
  ].map((name) => prefix + name),
);

/**
 * Reads the API of the resolved templates; throws on whatever the local gateway would not do as
 * the service does, naming resource and property.
 *
 * References between API resources must be resolved to logical ids; what `RestApiId` and the root
 * resource id are resolved to is up to the resolver.
 */
export function apiDefinition(resources: readonly Resource[]): ApiDefinition {
  for (const resource of resources) refuseUnknown(resource);
  const api = only(resources, 'RestApi', RestApiProperties);
  const stage = only(resources, 'Stage', StageProperties);
  const deployments = all(resources, 'Deployment', DeploymentProperties);
  const methods = all(resources, 'Method', MethodProperties);
  const paths = resourcePaths(
    all(resources, 'Resource', ResourceProperties),
    methods.map((method) => method.properties.ResourceId),
  );
  const responses = all(resources, 'GatewayResponse', GatewayResponseProperties);
  const doors = all(resources, 'Authorizer', AuthorizerProperties);
  refuseForeign(stage.properties.RestApiId, [...methods, ...deployments, ...responses, ...doors]);
  const authorizers = new Map(
    doors.map(({ name, logicalId, properties }) => [
      logicalId,
      authorizerOf(name, logicalId, properties),
    ]),
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
      integration: integrationOf(name, properties.Integration),
      authorizer: authorizerFor(name, properties, authorizers),
    })),
    gatewayResponses: new Map(
      responses.map(({ name, properties }) => [
        properties.ResponseType,
        gatewayResponse(name, properties),
      ]),
    ),
    permissions: resources.filter(isPermission).map(permissionOf),
    throttles: stage.properties.MethodSettings.map((setting) => ({
      path: setting.ResourcePath.slice(1).replaceAll('~1', '/'),
      httpMethod: setting.HttpMethod,
      ratePerSecond: setting.ThrottlingRateLimit,
      burst: setting.ThrottlingBurstLimit,
    })),
    accessLine:
      stage.properties.AccessLogSetting &&
      accessLog(stage.name, stage.properties.AccessLogSetting.Format),
  };
}

interface Parsed<T> {
  logicalId: string;
  /** For error lines: stack, logical id and type. */
  name: string;
  properties: T;
}

function nameOf(resource: Resource): string {
  return `${resource.stack}/${resource.logicalId} (${resource.type})`;
}

function refuseUnknown(resource: Resource): void {
  if (!resource.type.startsWith(prefix) || knownTypes.has(resource.type)) return;
  throw new Error(`${nameOf(resource)}: the local gateway does not know this resource type.`);
}

function all<T>(
  resources: readonly Resource[],
  type: string,
  schema: z.ZodType<T>,
): readonly Parsed<T>[] {
  return resources
    .filter((resource) => resource.type === prefix + type)
    .map((resource) => {
      const parsed = schema.safeParse(resource.properties);
      if (parsed.success) {
        return {
          logicalId: resource.logicalId,
          name: nameOf(resource),
          properties: parsed.data,
        };
      }
      throw new Error(`${nameOf(resource)}: ${parsed.error.issues.map(describe).join('; ')}`);
    });
}

function only<T>(resources: readonly Resource[], type: string, schema: z.ZodType<T>): Parsed<T> {
  const [first, second] = all(resources, type, schema);
  if (first !== undefined && second === undefined) return first;
  const found = second === undefined ? 'none' : `${first?.name} and ${second.name}`;
  throw new Error(`The local gateway runs exactly one ${prefix}${type}; found ${found}.`);
}

function describe(issue: z.core.$ZodIssue): string {
  const at = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map((key) => (at === '' ? key : `${at}.${key}`)).join(', ');
    return `the local gateway does not know the property ${keys}`;
  }
  return `property ${at}: ${issue.message}`;
}

function refuseForeign(apiId: string, parsed: readonly Parsed<{ RestApiId: string }>[]): void {
  const foreign = parsed.find(({ properties }) => properties.RestApiId !== apiId);
  if (foreign === undefined) return;
  throw new Error(`${foreign.name}: property RestApiId names another API than the stage's.`);
}

function isPermission(resource: Resource): boolean {
  return resource.type === 'AWS::Lambda::Permission';
}

function permissionOf(resource: Resource): Permission {
  const { Action, FunctionName, Principal, SourceArn } = PermissionProperties.parse(
    resource.properties,
  );
  const base = { action: Action, principal: Principal, sourceArn: SourceArn };
  return { ...base, functionName: FunctionName.split(':function:').at(-1) ?? FunctionName };
}
