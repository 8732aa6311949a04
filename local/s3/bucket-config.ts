import * as z from 'zod';
import { type Resource, parseProperties } from '../assembly/resource.ts';

/** One CORS rule of a bucket; each pattern may hold one `*`, as in S3. */
export const CorsRule = z.object({
  allowedOrigins: z.array(z.string()),
  allowedMethods: z.array(z.enum(['GET', 'PUT', 'HEAD', 'POST', 'DELETE'])),
  allowedHeaders: z.array(z.string()).optional(),
  maxAgeSeconds: z.number().int().optional(),
});
export type CorsRule = z.infer<typeof CorsRule>;

/** One lifecycle rule: deletes objects, versions and unfinished uploads under a prefix after some days. */
export const LifecycleRule = z.object({
  prefix: z.string().optional(),
  expirationDays: z.number().int().positive().optional(),
  /** Days from the moment at which a version stopped being the current one. */
  noncurrentDays: z.number().int().positive().optional(),
  /** Deletes delete markers without earlier versions. */
  expiresMarkers: z.boolean().optional(),
  abortIncompleteUploadDays: z.number().int().positive().optional(),
});
export type LifecycleRule = z.infer<typeof LifecycleRule>;

/** The configuration of a bucket. */
export const BucketConfig = z.object({
  cors: z.array(CorsRule).optional(),
  lifecycle: z.array(LifecycleRule).optional(),
  versioning: z.literal('Enabled').optional(),
});
export type BucketConfig = z.infer<typeof BucketConfig>;

const Cors = z.strictObject({
  CorsRules: z.array(
    z.strictObject({
      AllowedOrigins: z.array(z.string()),
      AllowedMethods: z.array(z.string()),
      AllowedHeaders: z.array(z.string()).optional(),
      MaxAge: z.int().optional(),
    }),
  ),
});

const Rule = z
  .strictObject({
    Id: z.string().optional(),
    Status: z.literal('Enabled'),
    Prefix: z.string().optional(),
    ExpirationInDays: z.int().optional(),
    ExpiredObjectDeleteMarker: z.boolean().optional(),
    NoncurrentVersionExpiration: z.strictObject({ NoncurrentDays: z.int().positive() }).optional(),
    AbortIncompleteMultipartUpload: z.strictObject({ DaysAfterInitiation: z.int() }).optional(),
  })
  .refine((rule) => rule.ExpirationInDays === undefined || !rule.ExpiredObjectDeleteMarker, {
    error: 'ExpiredObjectDeleteMarker cannot be combined with ExpirationInDays',
  });

const Lifecycle = z.strictObject({ Rules: z.array(Rule) });

const Properties = z.object({
  CorsConfiguration: Cors.optional(),
  LifecycleConfiguration: Lifecycle.optional(),
  VersioningConfiguration: z.strictObject({ Status: z.literal('Enabled') }).optional(),
});

/** Parses CORS, lifecycle and versioning of an `AWS::S3::Bucket`; an unknown rule stops the start. */
export function bucketConfig(resource: Resource): BucketConfig {
  const properties = parseProperties(resource, Properties);
  const { CorsConfiguration, LifecycleConfiguration } = properties;
  return BucketConfig.parse({
    cors: CorsConfiguration?.CorsRules.map((rule) => ({
      allowedOrigins: rule.AllowedOrigins,
      allowedMethods: rule.AllowedMethods,
      allowedHeaders: rule.AllowedHeaders,
      maxAgeSeconds: rule.MaxAge,
    })),
    versioning: properties.VersioningConfiguration?.Status,
    lifecycle: LifecycleConfiguration?.Rules.map((rule) => ({
      prefix: rule.Prefix,
      expirationDays: rule.ExpirationInDays,
      noncurrentDays: rule.NoncurrentVersionExpiration?.NoncurrentDays,
      expiresMarkers: rule.ExpiredObjectDeleteMarker,
      abortIncompleteUploadDays: rule.AbortIncompleteMultipartUpload?.DaysAfterInitiation,
    })),
  });
}
