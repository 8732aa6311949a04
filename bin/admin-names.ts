import * as z from 'zod';

/** The secrets that the command `rotate` replaces. A deployment replaces the API key. */
export const SecretName = z.enum(['CodeSecret', 'AccessSecret', 'OriginSecret']);
export type SecretName = z.infer<typeof SecretName>;

/** The environment variable that holds the ARN of each secret. */
export const secretVariables = {
  CodeSecret: 'CODE_SECRET_ARN',
  AccessSecret: 'ACCESS_SECRET_ARN',
  OriginSecret: 'ORIGIN_SECRET_ARN',
} as const satisfies Record<SecretName, string>;

/** Names of a stage's resources, by environment variable. */
export type ResourceNames = Partial<Record<ResourceVariable, string>>;

export type ResourceVariable =
  | (typeof secretVariables)[SecretName]
  | 'ACCOUNTS_TABLE'
  | 'BASE_URL'
  | 'CODES_TABLE'
  | 'CONTENT_BUCKET'
  | 'COUNTERS_TABLE'
  | 'DISTRIBUTION_IDS'
  | 'PROJECTS_TABLE'
  | 'SIGN_UP_POLICY'
  | 'SITES_DOMAIN'
  | 'SITES_TABLE'
  | 'SITES_TENANT_ID';
