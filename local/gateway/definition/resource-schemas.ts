import * as z from 'zod';
import { ignored } from '../../assembly/resource.ts';
import { OpenApiBody } from './openapi-body.ts';

/**
 * The supported properties of API Gateway resources, one strict schema for each type. An unknown property
 * stops the start, because it might change behaviour when deployed.
 */

export const RestApiProperties = z.strictObject({
  Body: OpenApiBody,
  // Otherwise an update keeps what the document no longer names.
  Mode: z.literal('overwrite'),
  EndpointConfiguration: z.object({ Types: z.array(z.enum(['EDGE', 'REGIONAL'])) }).optional(),
  Parameters: ignored,
  Name: ignored,
});

/**
 * The template must give the value: whoever sends the key could not know one that the service
 * makes.
 */
export const ApiKeyProperties = z.strictObject({
  Enabled: z.boolean().default(false),
  Value: z.string().min(20).max(128),
  Description: ignored,
});

/** Without a quota and a throttle of its own: it only says which keys belong to which stage. */
export const UsagePlanProperties = z.strictObject({
  ApiStages: z.array(z.strictObject({ ApiId: z.string(), Stage: z.string() })).default([]),
  Description: ignored,
});

export const UsagePlanKeyProperties = z.strictObject({
  KeyId: z.string(),
  KeyType: z.literal('API_KEY'),
  UsagePlanId: z.string(),
});

export const DeploymentProperties = z.strictObject({
  RestApiId: z.string(),
});

const MethodSetting = z.strictObject({
  ResourcePath: z.string().default('/*'),
  HttpMethod: z.string().default('*'),
  ThrottlingRateLimit: z.coerce.number().optional(),
  ThrottlingBurstLimit: z.coerce.number().optional(),
  DataTraceEnabled: ignored,
});

export const StageProperties = z.strictObject({
  RestApiId: z.string(),
  StageName: z.string(),
  DeploymentId: z.string(),
  Variables: z.record(z.string(), z.string()).optional(),
  MethodSettings: z.array(MethodSetting).default([]),
  AccessLogSetting: z.strictObject({ DestinationArn: ignored, Format: z.string() }).optional(),
  TracingEnabled: ignored,
});
