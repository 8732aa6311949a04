import * as z from 'zod';

/**
 * Every environment variable a function may read, and its shape. `lib/` sets them (a grant gives the
 * permission and the variable together), `lambdas/shared/settings.ts` reads them.
 */
export const environmentSchema = z.object({
  /** Scheme and host of the app, no trailing slash: `https://app.example`, locally `http://localhost:8787`. */
  BASE_URL: z.url(),
  /** Domain under which projects are served, with a port where there is one: `sites.example`. */
  SITES_DOMAIN: z.string().min(1),
  BRAND: z.string().min(1),
  /** Whom to tell of a weakness: an e-mail address or a page; empty where nobody is named. */
  SECURITY_CONTACT: z.string(),
  /** Page that says how such reports are handled; empty for none. */
  SECURITY_POLICY: z.string(),
  /** ARN of the secret whose value, in a header, proves that a request came through CloudFront. */
  ORIGIN_SECRET_ARN: z.string().min(16),
  /** Uploads without an account that one address may make. */
  TEMP_UPLOADS_PER_MINUTE: z.string().regex(/^[1-9]\d*$/),
  TEMP_UPLOADS_PER_HOUR: z.string().regex(/^[1-9]\d*$/),
  /** Key prefix: keys look like `<prefix>_live_…`. */
  KEY_PREFIX: z.string().min(2),
  SIGN_UP_POLICY: z.enum(['open', 'invite', 'closed']),
  TRIAL_DAYS: z.string().regex(/^\d+$/),
  /** Days for which an operator can bring a deleted project back; 0 for none. */
  DELETED_KEPT_DAYS: z.string().regex(/^\d+$/),
  /** Numbers of every plan, as JSON. */
  PLANS: z.string().min(2),
  /** Sender of sign-in codes; empty where a deployment sends no mail. */
  MAIL_FROM: z.string(),
  /** ARN of the secret that keys the sign-in codes: whoever reads the codes table cannot compute them. */
  CODE_SECRET_ARN: z.string().min(16),
  /** ARN of the secret that signs what lets a visitor see more than everybody. */
  ACCESS_SECRET_ARN: z.string().min(16),
  ACCOUNTS_TABLE: z.string().min(3),
  CODES_TABLE: z.string().min(3),
  SITES_TABLE: z.string().min(3),
  PROJECTS_TABLE: z.string().min(3),
  COUNTERS_TABLE: z.string().min(3),
  /** Connected apps: clients, codes, grants and tokens. */
  OAUTH_TABLE: z.string().min(3),
  /** Whether redirects to clients name the issuer (RFC 9207). */
  OAUTH_SENDS_ISSUER: z.enum(['true', 'false']),
  /** Who looked at projects. */
  ANALYTICS_TABLE: z.string().min(3),
  /** Queue of hits that are to be counted. */
  HITS_QUEUE_URL: z.string().min(1),
  /** Queue of uploads that a worker is to publish. */
  UPLOAD_QUEUE_URL: z.string().min(1),
  CONTENT_BUCKET: z.string().min(3),
  /** CloudFront tenant of the sites domain; empty until it has a certificate. */
  SITES_TENANT_ID: z.string(),
  /** CloudFront public key id that visitor media links are signed for. */
  MEDIA_KEY_ID: z.string().min(1),
  /** Which of the keys in the secret has that id. */
  MEDIA_KEY_GENERATION: z.string().regex(/^[1-9]\d*$/),
  /** ARN of the secret that holds the private keys for media links. */
  MEDIA_KEY_SECRET: z.string().min(1),
});

export type EnvironmentName = keyof typeof environmentSchema.shape;

/** What Lambda itself tells a function of AWS; the local cloud and tests name endpoints of their own. */
export const awsEnvironmentSchema = z.object({
  AWS_REGION: z.string().min(1),
  AWS_ACCESS_KEY_ID: z.string().min(1),
  AWS_SECRET_ACCESS_KEY: z.string().min(1),
  AWS_SESSION_TOKEN: z.string().optional(),
  AWS_ENDPOINT_URL: z.url().optional(),
  AWS_ENDPOINT_URL_DYNAMODB: z.url().optional(),
  AWS_ENDPOINT_URL_S3: z.url().optional(),
  AWS_ENDPOINT_URL_SECRETS_MANAGER: z.url().optional(),
  AWS_ENDPOINT_URL_SQS: z.url().optional(),
});

export type AwsEnvironment = z.infer<typeof awsEnvironmentSchema>;
