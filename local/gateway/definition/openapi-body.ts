import * as z from 'zod';
import { ignored } from '../../assembly/resource.ts';

/**
 * The supported parts of the OpenAPI document of a REST API. An unknown field stops the start, because
 * it might change behaviour when deployed.
 */

const stringMap = z.record(z.string(), z.string());

const FunctionIntegration = z.strictObject({
  type: z.literal('aws_proxy'),
  /** The method of Lambda's own API. */
  httpMethod: z.literal('POST'),
  uri: z.string(),
  timeoutInMillis: z.number().min(50).max(29_000).default(29_000),
});

/** A fixed response. The service would choose among several by the status in the request template. */
const MockIntegration = z.strictObject({
  type: z.literal('mock'),
  /** A request of a media type without a template is refused. */
  passthroughBehavior: z.literal('never'),
  requestTemplates: stringMap,
  responses: z.strictObject({
    default: z.strictObject({
      statusCode: z.coerce.number(),
      responseParameters: stringMap.default({}),
      responseTemplates: z.strictObject({ 'application/json': z.string() }).optional(),
    }),
  }),
});

const Operation = z.strictObject({
  /** The service requires all of them. */
  security: z.array(z.record(z.string(), z.tuple([]))).default([]),
  responses: ignored,
  'x-amazon-apigateway-integration': z.discriminatedUnion('type', [
    FunctionIntegration,
    MockIntegration,
  ]),
});

/** One operation of a path. */
export type Operation = z.output<typeof Operation>;

const PathItem = z.strictObject({
  'x-amazon-apigateway-any-method': Operation.optional(),
  delete: Operation.optional(),
  get: Operation.optional(),
  head: Operation.optional(),
  options: Operation.optional(),
  patch: Operation.optional(),
  post: Operation.optional(),
  put: Operation.optional(),
});

/** Without an authorizer it is the API key of a usage plan. */
const SecurityScheme = z.strictObject({
  type: z.literal('apiKey'),
  name: z.string(),
  in: z.literal('header'),
  'x-amazon-apigateway-authtype': z.literal('custom').optional(),
  'x-amazon-apigateway-authorizer': z
    .strictObject({
      type: z.literal('request'),
      authorizerUri: z.string(),
      identitySource: z.string().default(''),
      // The default is five minutes, but cached results are not supported here.
      authorizerResultTtlInSeconds: z.literal(0),
    })
    .optional(),
});

/** A way to authenticate that operations may require. */
export type SecurityScheme = z.output<typeof SecurityScheme>;

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

const GatewayResponse = z.strictObject({
  statusCode: z.coerce.number().optional(),
  responseParameters: stringMap.default({}),
  responseTemplates: stringMap.default({}),
});

/** A gateway response as the document has it. */
export type GatewayResponseSource = z.output<typeof GatewayResponse>;

/** The document. Path segments are those that the service imports ("Amazon API Gateway important notes"). */
export const OpenApiBody = z.strictObject({
  openapi: z.literal('3.0.1'),
  info: ignored,
  paths: z.record(
    z.string().regex(/^(?:\/|(?:\/(?:[\w.,:-]+|\{\w+\+?\}))+)$/, 'is no path that can be imported'),
    PathItem,
  ),
  components: z
    .strictObject({ securitySchemes: z.record(z.string(), SecurityScheme).default({}) })
    .default({ securitySchemes: {} }),
  'x-amazon-apigateway-api-key-source': z.literal('HEADER').optional(),
  'x-amazon-apigateway-binary-media-types': z.array(z.string()).default([]),
  'x-amazon-apigateway-gateway-responses': z
    .partialRecord(ResponseType, GatewayResponse)
    .default({}),
});

/** The document of a REST API. */
export type OpenApiBody = z.output<typeof OpenApiBody>;
