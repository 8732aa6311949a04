import * as z from 'zod';
import { ignored } from '../../assembly/resource.ts';

/**
 * The supported properties of API Gateway resources, one strict schema for each type. An unknown property
 * stops the start, because it might change behaviour when deployed.
 */

const mustBeOff = z.union([z.literal(false), z.literal('false')]).optional();
const stringMap = z.record(z.string(), z.string());

export const RestApiProperties = z.strictObject({
  BinaryMediaTypes: z.array(z.string()).default([]),
  EndpointConfiguration: z
    .object({ Types: z.array(z.enum(['EDGE', 'REGIONAL'])).optional() })
    .optional(),
  ApiKeySourceType: z.literal('HEADER').optional(),
  DisableExecuteApiEndpoint: mustBeOff,
  Name: ignored,
  Description: ignored,
  FailOnWarnings: ignored,
  Tags: ignored,
});

export const ResourceProperties = z.strictObject({
  RestApiId: z.string(),
  ParentId: z.string(),
  PathPart: z.string(),
});

const IntegrationResponse = z.strictObject({
  StatusCode: z.coerce.number(),
  SelectionPattern: z.string().optional(),
  ResponseParameters: stringMap.default({}),
  ResponseTemplates: stringMap.default({}),
});

const Integration = z.strictObject({
  Type: z.enum(['AWS_PROXY', 'MOCK']),
  IntegrationHttpMethod: z.string().optional(),
  Uri: z.string().optional(),
  TimeoutInMillis: z.coerce.number().min(50).max(29_000).default(29_000),
  PassthroughBehavior: z
    .enum(['WHEN_NO_MATCH', 'WHEN_NO_TEMPLATES', 'NEVER'])
    .default('WHEN_NO_MATCH'),
  RequestTemplates: stringMap.default({}),
  IntegrationResponses: z.array(IntegrationResponse).default([]),
  ConnectionType: z.literal('INTERNET').optional(),
  ResponseTransferMode: z.literal('BUFFERED').optional(),
});

export const MethodProperties = z.strictObject({
  RestApiId: z.string(),
  ResourceId: z.string(),
  HttpMethod: z.enum(['ANY', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']),
  Integration,
  AuthorizationType: z.enum(['NONE', 'CUSTOM']).default('NONE'),
  AuthorizerId: z.string().optional(),
  ApiKeyRequired: z.boolean().default(false),
  MethodResponses: ignored,
  OperationName: ignored,
  // The service checks these only with a request validator, which is not supported here.
  RequestParameters: ignored,
});

export const AuthorizerProperties = z.strictObject({
  RestApiId: z.string(),
  Type: z.literal('REQUEST'),
  AuthorizerUri: z.string(),
  IdentitySource: z.string().default(''),
  // The default is five minutes, but cached results are not supported here.
  AuthorizerResultTtlInSeconds: z.literal(0),
  Name: ignored,
});

/** A value of the service's own making would not be known to whoever sends it. */
export const ApiKeyProperties = z.strictObject({
  Enabled: z.boolean().default(false),
  Value: z.string().min(20).max(128),
  Description: ignored,
  Name: ignored,
  Tags: ignored,
});

/** Without a quota and a throttle of its own: it only says which keys belong to which stage. */
export const UsagePlanProperties = z.strictObject({
  ApiStages: z.array(z.strictObject({ ApiId: z.string(), Stage: z.string() })).default([]),
  UsagePlanName: ignored,
  Description: ignored,
  Tags: ignored,
});

export const UsagePlanKeyProperties = z.strictObject({
  KeyId: z.string(),
  KeyType: z.literal('API_KEY'),
  UsagePlanId: z.string(),
});

export const DeploymentProperties = z.strictObject({
  RestApiId: z.string(),
  Description: ignored,
});

const MethodSetting = z.strictObject({
  ResourcePath: z.string().default('/*'),
  HttpMethod: z.string().default('*'),
  ThrottlingRateLimit: z.coerce.number().optional(),
  ThrottlingBurstLimit: z.coerce.number().optional(),
  CachingEnabled: mustBeOff,
  LoggingLevel: ignored,
  DataTraceEnabled: ignored,
  MetricsEnabled: ignored,
});

export const StageProperties = z.strictObject({
  RestApiId: z.string(),
  StageName: z.string(),
  DeploymentId: z.string(),
  Variables: stringMap.optional(),
  MethodSettings: z.array(MethodSetting).default([]),
  CacheClusterEnabled: mustBeOff,
  AccessLogSetting: z.strictObject({ DestinationArn: ignored, Format: z.string() }).optional(),
  Description: ignored,
  Tags: ignored,
  TracingEnabled: ignored,
});

/** Every response type of the service; another one would fail the deployment. */
export const ResponseType = z.enum([
  'ACCESS_DENIED',
  'API_CONFIGURATION_ERROR',
  'AUTHORIZER_CONFIGURATION_ERROR',
  'AUTHORIZER_FAILURE',
  'BAD_REQUEST_BODY',
  'BAD_REQUEST_PARAMETERS',
  'DEFAULT_4XX',
  'DEFAULT_5XX',
  'EXPIRED_TOKEN',
  'INTEGRATION_FAILURE',
  'INTEGRATION_TIMEOUT',
  'INVALID_API_KEY',
  'INVALID_SIGNATURE',
  'MISSING_AUTHENTICATION_TOKEN',
  'QUOTA_EXCEEDED',
  'REQUEST_TOO_LARGE',
  'RESOURCE_NOT_FOUND',
  'THROTTLED',
  'UNAUTHORIZED',
  'UNSUPPORTED_MEDIA_TYPE',
  'WAF_FILTERED',
]);

/** The name of a gateway response. */
export type ResponseType = z.infer<typeof ResponseType>;

export const GatewayResponseProperties = z.strictObject({
  RestApiId: z.string(),
  ResponseType,
  StatusCode: z.coerce.number().optional(),
  ResponseParameters: stringMap.default({}),
  ResponseTemplates: stringMap.default({}),
});
