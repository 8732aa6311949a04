import * as z from 'zod';

/**
 * Every environment variable a function may read, and its shape. `lib/` sets them (a grant gives the
 * permission and the variable together), `lambdas/runtime/settings.ts` reads them.
 */
export const environmentSchema = z.object({
  /** Scheme and host of the app, no trailing slash: `https://app.example`, locally `http://localhost:8787`. */
  BASE_URL: z.url(),
  /** Domain under which projects are served, with a port where there is one: `sites.example`. */
  SITES_DOMAIN: z.string().min(1),
  BRAND: z.string().min(1),
  /** Header value that proves that a request came through our CloudFront distribution. */
  ORIGIN_SECRET: z.string().min(16),
  /** Uploads without an account that one address may make. */
  TEMP_UPLOADS_PER_MINUTE: z.string().regex(/^[1-9]\d*$/),
  TEMP_UPLOADS_PER_HOUR: z.string().regex(/^[1-9]\d*$/),
  SITES_TABLE: z.string().min(3),
  PROJECTS_TABLE: z.string().min(3),
  COUNTERS_TABLE: z.string().min(3),
  CONTENT_BUCKET: z.string().min(3),
  /** CloudFront public key id that visitor media links are signed for. */
  MEDIA_KEY_ID: z.string().min(1),
  /** ARN of the secret that holds the PEM private key for media links. */
  MEDIA_KEY_SECRET: z.string().min(1),
});

export type EnvironmentName = keyof typeof environmentSchema.shape;
