import * as z from 'zod';

/** One rule of a bucket's CORS configuration; `*` matches as in S3, once per pattern. */
export const CorsRule = z.object({
  allowedOrigins: z.array(z.string()),
  allowedMethods: z.array(z.enum(['GET', 'PUT', 'HEAD', 'POST', 'DELETE'])),
  allowedHeaders: z.array(z.string()).optional(),
  exposedHeaders: z.array(z.string()).optional(),
  maxAgeSeconds: z.number().int().optional(),
});
export type CorsRule = z.infer<typeof CorsRule>;

/** One lifecycle rule: objects and unfinished uploads below a prefix go after so many days. */
export const LifecycleRule = z.object({
  prefix: z.string().optional(),
  expirationDays: z.number().int().positive().optional(),
  abortIncompleteUploadDays: z.number().int().positive().optional(),
});
export type LifecycleRule = z.infer<typeof LifecycleRule>;

/** What can be configured of a bucket. */
export const BucketConfig = z.object({
  cors: z.array(CorsRule).optional(),
  lifecycle: z.array(LifecycleRule).optional(),
});
export type BucketConfig = z.infer<typeof BucketConfig>;
