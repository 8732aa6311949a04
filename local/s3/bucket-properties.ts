import * as z from 'zod';
import type { Resource } from '../http/http.ts';
import { BucketConfig } from './bucket-config.ts';
import { StartError } from '../start-error.ts';

const Cors = z.strictObject({
  CorsRules: z.array(
    z.strictObject({
      AllowedOrigins: z.array(z.string()),
      AllowedMethods: z.array(z.string()),
      AllowedHeaders: z.array(z.string()).optional(),
      ExposedHeaders: z.array(z.string()).optional(),
      MaxAge: z.int().optional(),
      Id: z.string().optional(),
    }),
  ),
});

const Lifecycle = z.strictObject({
  Rules: z.array(
    z.strictObject({
      Id: z.string().optional(),
      Status: z.enum(['Enabled', 'Disabled']),
      Prefix: z.string().optional(),
      ExpirationInDays: z.int().optional(),
      AbortIncompleteMultipartUpload: z.strictObject({ DaysAfterInitiation: z.int() }).optional(),
    }),
  ),
});

const Properties = z.object({
  CorsConfiguration: Cors.optional(),
  LifecycleConfiguration: Lifecycle.optional(),
});

/** CORS and lifecycle of an `AWS::S3::Bucket`, as the local S3 takes them; an unknown rule stops the start. */
export function bucketConfig(resource: Resource): BucketConfig {
  const parsed = Properties.safeParse(resource.properties);
  if (!parsed.success) {
    throw new StartError(
      `${resource.type} ${resource.logicalId}: ${z.prettifyError(parsed.error)}`,
    );
  }
  const { CorsConfiguration, LifecycleConfiguration } = parsed.data;
  const rules = LifecycleConfiguration?.Rules.filter(({ Status }) => Status === 'Enabled') ?? [];
  return BucketConfig.parse({
    cors: CorsConfiguration?.CorsRules.map((rule) => ({
      allowedOrigins: rule.AllowedOrigins,
      allowedMethods: rule.AllowedMethods,
      allowedHeaders: rule.AllowedHeaders,
      exposedHeaders: rule.ExposedHeaders,
      maxAgeSeconds: rule.MaxAge,
    })),
    lifecycle: rules.map((rule) => ({
      prefix: rule.Prefix,
      expirationDays: rule.ExpirationInDays,
      abortIncompleteUploadDays: rule.AbortIncompleteMultipartUpload?.DaysAfterInitiation,
    })),
  });
}
