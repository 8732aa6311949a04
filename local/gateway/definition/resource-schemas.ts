import * as z from 'zod';

/**
 * The properties of API Gateway resources that the local gateway knows, one strict schema a type:
 * what is not listed stops the start, because it might change behaviour when deployed.
 */

/** Has no effect on an answer. */
const harmless = z.unknown().optional();
const off = z.union([z.literal(false), z.literal('false')]).optional();
const texts = z.record(z.string(), z.string());

export const RestApiProperties = z.strictObject({
  BinaryMediaTypes: z.array(z.string()).default([]),
  EndpointConfiguration: z
    .object({ Types: z.array(z.enum(['EDGE', 'REGIONAL'])).optional() })
    .optional(),
  ApiKeySourceType: z.literal('HEADER').optional(),
  DisableExecuteApiEndpoint: off,
  Name: harmless,
  Description: harmless,
  FailOnWarnings: harmless,
  Tags: harmless,
});

export const ResourceProperties = z.strictObject({
  RestApiId: z.string(),
  ParentId: z.string(),
  PathPart: z.string(),
});

const IntegrationResponse = z.strictObject({
  StatusCode: z.coerce.number(),
  SelectionPattern: z.string().optional(),
  ResponseParameters: texts.default({}),
  ResponseTemplates: texts.default({}),
});

const Integration = z.strictObject({
  Type: z.enum(['AWS_PROXY', 'MOCK']),
  IntegrationHttpMethod: z.string().optional(),
  Uri: z.string().optional(),
  TimeoutInMillis: z.coerce.number().min(50).max(29_000).default(29_000),
  PassthroughBehavior: z
    .enum(['WHEN_NO_MATCH', 'WHEN_NO_TEMPLATES', 'NEVER'])
    .default('WHEN_NO_MATCH'),
  RequestTemplates: texts.default({}),
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
  ApiKeyRequired: off,
  MethodResponses: harmless,
  OperationName: harmless,
  // Checked by the service only together with a request validator, which is not known here.
  RequestParameters: harmless,
});

export const AuthorizerProperties = z.strictObject({
  RestApiId: z.string(),
  Type: z.literal('REQUEST'),
  AuthorizerUri: z.string(),
  IdentitySource: z.string().default(''),
  // Its default is five minutes, and results that are kept are not known here.
  AuthorizerResultTtlInSeconds: z.literal(0),
  Name: harmless,
});

export const DeploymentProperties = z.strictObject({
  RestApiId: z.string(),
  Description: harmless,
});

const MethodSetting = z.strictObject({
  ResourcePath: z.string().default('/*'),
  HttpMethod: z.string().default('*'),
  ThrottlingRateLimit: z.coerce.number().optional(),
  ThrottlingBurstLimit: z.coerce.number().optional(),
  CachingEnabled: off,
  LoggingLevel: harmless,
  DataTraceEnabled: harmless,
  MetricsEnabled: harmless,
});

export const StageProperties = z.strictObject({
  RestApiId: z.string(),
  StageName: z.string(),
  DeploymentId: z.string(),
  Variables: texts.optional(),
  MethodSettings: z.array(MethodSetting).default([]),
  CacheClusterEnabled: off,
  AccessLogSetting: z.strictObject({ DestinationArn: harmless, Format: z.string() }).optional(),
  Description: harmless,
  Tags: harmless,
  TracingEnabled: harmless,
});

/** Every response type that the service knows; another one fails the deploy. */
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
  ResponseParameters: texts.default({}),
  ResponseTemplates: texts.default({}),
});

/** Not strict: the Lambda part of the local cloud owns this type. */
export const PermissionProperties = z.object({
  Action: z.string(),
  FunctionName: z.string(),
  Principal: z.string(),
  SourceArn: z.string().optional(),
});
