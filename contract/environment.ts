import * as z from 'zod/mini';

/**
 * Every environment variable a function may read, and its shape. `lib/` sets them (a grant gives
 * the permission and the variable together), `lambdas/shared/settings.ts` reads them. Each schema
 * is created when its variable is read: a function needs few of them, and creating all would slow a
 * cold start.
 */
export const environmentSchemas = {
  /** Scheme and host of the app, no trailing slash: `https://app.example`, locally `http://localhost:8787`. */
  BASE_URL: () => z.url(),
  /** Domain under which projects are served, with a port where there is one: `sites.example`. */
  SITES_DOMAIN: () => z.string().check(z.minLength(1)),
  /** The stage, which certificates and tenants of custom domains carry as a tag. */
  STAGE: () => z.string().check(z.minLength(1)),
  BRAND: () => z.string().check(z.minLength(1)),
  /** Contact for security reports: an e-mail address or the address of a page; empty for none. */
  SECURITY_CONTACT: () => z.string(),
  /** Address of the page with the disclosure policy; empty for none. */
  SECURITY_POLICY: () => z.string(),
  /** Addresses of the operator's own pages; empty for none. */
  PRIVACY_POLICY: () => z.string(),
  TERMS_OF_SERVICE: () => z.string(),
  /** ARN of the secret whose value, in a header, proves that a request came through CloudFront. */
  ORIGIN_SECRET_ARN: () => z.string().check(z.minLength(16)),
  /** Uploads without an account that one IP address may make. */
  TEMP_UPLOADS_PER_MINUTE: () => z.string().check(z.regex(/^[1-9]\d*$/)),
  TEMP_UPLOADS_PER_HOUR: () => z.string().check(z.regex(/^[1-9]\d*$/)),
  /** Key prefix: keys look like `<prefix>_live_…`. */
  KEY_PREFIX: () => z.string().check(z.minLength(2)),
  /** E-mail addresses of the accounts that may use `/v1/operator`, as JSON. */
  OPERATORS: () => z.string().check(z.minLength(2)),
  SIGN_UP_POLICY: () => z.enum(['open', 'invite', 'closed']),
  /** Domains whose addresses may sign up, as JSON; empty for all. */
  ALLOWED_EMAIL_DOMAINS: () => z.string().check(z.minLength(2)),
  /** Sign-in mails that one e-mail address gets in an hour. */
  SIGN_IN_MAILS_PER_HOUR: () => z.string().check(z.regex(/^[1-9]\d*$/)),
  /** The plan of a new account. */
  DEFAULT_PLAN: () => z.enum(['free', 'starter', 'pro', 'agency', 'scale']),
  TRIAL_DAYS: () => z.string().check(z.regex(/^\d+$/)),
  /** Days for which an operator can restore a deleted project; 0 for none. */
  DELETED_KEPT_DAYS: () => z.string().check(z.regex(/^\d+$/)),
  /** Certificates for custom domains that the installation requests in 365 days. */
  CERTIFICATES_PER_YEAR: () => z.string().check(z.regex(/^[1-9]\d*$/)),
  /** Limits of every plan, as JSON. */
  PLANS: () => z.string().check(z.minLength(2)),
  /** Where accounts upgrade: the address of a page or an e-mail address; empty for none. */
  UPGRADE_URL: () => z.string(),
  /** Sender of mails; empty if the installation sends none. */
  MAIL_FROM: () => z.string(),
  /** `true` in functions that send no mail themselves, if the installation sends any; else empty. */
  SENDS_MAIL: () => z.enum(['true', '']),
  /** SES configuration set of every mail, which keeps the suppression list; empty if there is no sender. */
  MAIL_CONFIGURATION_SET: () => z.string(),
  /** ARN of the secret from which sign-in codes are computed, so that the codes table alone reveals none. */
  CODE_SECRET_ARN: () => z.string().check(z.minLength(16)),
  /** ARN of the secret that signs access cookies, owner links, previews and consent forms. */
  ACCESS_SECRET_ARN: () => z.string().check(z.minLength(16)),
  ACCOUNTS_TABLE: () => z.string().check(z.minLength(3)),
  CODES_TABLE: () => z.string().check(z.minLength(3)),
  SITES_TABLE: () => z.string().check(z.minLength(3)),
  PROJECTS_TABLE: () => z.string().check(z.minLength(3)),
  COUNTERS_TABLE: () => z.string().check(z.minLength(3)),
  /** Connected apps: clients, codes, grants and tokens. */
  OAUTH_TABLE: () => z.string().check(z.minLength(3)),
  /** The issuers of tokens of jobs, as JSON: `{"github": …, "gitlab": …}`. */
  CI_ISSUERS: () => z.string().check(z.minLength(2)),
  /** Hits: visits and opens of projects. */
  ANALYTICS_TABLE: () => z.string().check(z.minLength(3)),
  /** Queue of hits to count. */
  HITS_QUEUE_URL: () => z.string().check(z.minLength(1)),
  /** Queue of uploads for the worker to publish. */
  UPLOAD_QUEUE_URL: () => z.string().check(z.minLength(1)),
  /** Queue of lines of deliveries to send to webhooks. */
  WEBHOOK_QUEUE_URL: () => z.string().check(z.minLength(1)),
  CONTENT_BUCKET: () => z.string().check(z.minLength(3)),
  WEB_APP_BUCKET: () => z.string().check(z.minLength(3)),
  /**
   * The target of invalidations by tag: the CloudFront tenant of the sites domain, or
   * `distribution/<id>`. Empty until the domain has a certificate, and if the edge revalidates
   * everything.
   */
  SITES_TENANT_ID: () => z.string(),
  /**
   * DNS servers for lookups of custom domains, separated by commas: `1.1.1.1,8.8.8.8`, locally
   * `127.0.0.1:5353`.
   */
  DNS_RESOLVERS: () => z.string().check(z.minLength(1)),
  /** The distribution that serves custom domains; empty if this installation offers none. */
  VISITOR_DISTRIBUTION_ID: () => z.string(),
  /** The connection group of custom domains; empty if this installation offers none. */
  CONNECTION_GROUP_ID: () => z.string(),
  /** CloudFront's host name of the connection group, to which records of custom domains may point; empty if this installation offers none. */
  DOMAIN_ROUTING_ENDPOINT: () => z.string(),
  /** Domain suffix that is allowed although it is not public, for the local cloud: `localhost`. Empty for none. */
  TESTABLE_DOMAIN_SUFFIX: () => z.string(),
} as const;

export type EnvironmentName = keyof typeof environmentSchemas;

/** Variables that Lambda sets itself. The local cloud and tests add endpoints. */
export const awsEnvironmentSchema = z.object({
  AWS_REGION: z.string().check(z.minLength(1)),
  AWS_ACCESS_KEY_ID: z.string().check(z.minLength(1)),
  AWS_SECRET_ACCESS_KEY: z.string().check(z.minLength(1)),
  AWS_SESSION_TOKEN: z.optional(z.string()),
  AWS_ENDPOINT_URL: z.optional(z.url()),
  AWS_ENDPOINT_URL_DYNAMODB: z.optional(z.url()),
  AWS_ENDPOINT_URL_S3: z.optional(z.url()),
  AWS_ENDPOINT_URL_SECRETS_MANAGER: z.optional(z.url()),
  AWS_ENDPOINT_URL_SQS: z.optional(z.url()),
});

export type AwsEnvironment = z.infer<typeof awsEnvironmentSchema>;

/**
 * The generations of the API key that are accepted while CloudFront sends `generation`: the previous one, because
 * edges change one after another, and the next one, so that the API knows it before it is used.
 */
export function trustedGenerations(generation: number): number[] {
  return [generation - 1, generation, generation + 1].filter((one) => one > 0);
}
