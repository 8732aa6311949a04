import * as z from 'zod';
import { defaultSignInMailsPerHour } from '../contract/limits.ts';
import { policyPaths } from '../contract/discovery/policies.ts';
import { Tier } from '../contract/fields.ts';
import { Plans } from '../contract/plans.ts';
import {
  CertificateArn,
  CiIssuers,
  Host,
  HttpsUrl,
  PlainUrl,
  RetentionDays,
  Throttles,
  Zone,
} from './setting-values.ts';
import { describeIssue } from './stages/describe-issue.ts';

/** Settings that a person must correct. The message says how. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

/** The service's domains and the sender of its mails. */
const addresses = {
  /** Only the local cloud has a port. */
  appDomain: Host.default('app.example.com'),
  sitesDomain: Host.default('sites.example.net'),
  /** Whether browsers separate the cookies of sites (https://publicsuffix.org). Synth warns while it is false. */
  sitesDomainOnPublicSuffixList: z.boolean().default(false),
  appCertificateArn: CertificateArn.optional(),
  sitesCertificateArn: CertificateArn.optional(),
  appZone: Zone.optional(),
  sitesZone: Zone.optional(),
  /** Null says that it is left out on purpose: nobody gets a sign-in code by mail. */
  mailFrom: z.email().nullable().optional(),
  /**
   * The identity of `mailFrom` in SES: its domain (default) or only the address, made by this stack, or
   * one that exists already.
   */
  mailIdentity: z.enum(['domain', 'address', 'existing']).optional(),
};

/** Names, and pages of the operator that others are told of. */
const presentation = {
  brand: z.string().min(1).max(60).default('Slipway'),
  keyPrefix: z
    .string()
    .regex(/^[a-z][a-z0-9]{1,9}$/, 'must be 2 to 10 lowercase letters and digits')
    .default('sw'),
  /** Where accounts upgrade; errors about plans name it. */
  upgradeUrl: z.union([z.email(), PlainUrl]).optional(),
  /** Contact for security reports (RFC 9116). Without it there is no `/.well-known/security.txt`. */
  securityContact: z.union([z.email(), HttpsUrl]).optional(),
  /**
   * The operator's own pages. `/privacy` and `/terms` lead to the first two, and apps that connect are told of
   * them; `/.well-known/security.txt` names the third.
   */
  policies: z
    .strictObject({
      privacy: PlainUrl.optional(),
      terms: PlainUrl.optional(),
      security: HttpsUrl.optional(),
    })
    .prefault({}),
};

/** Who may do what, and how much of it. */
const access = {
  signUpPolicy: z.enum(['open', 'invite', 'closed']).default('open'),
  /** Where sign-up is open, the domains whose addresses may sign up; others need an invitation. Empty: all. */
  allowedEmailDomains: z.array(Host).max(50).default([]),
  /** E-mail addresses of the accounts that see reports, take projects down and suspend accounts in the web app. */
  operators: z.array(z.email()).max(20).default([]),
  /** The plan of a new account. A trial is of `pro`, so there is one only where this is `free`. */
  defaultPlan: Tier.default('free'),
  trialDays: z.int().min(0).max(365).default(7),
  plans: Plans,
  /** Uploads without an account, for an IP address. */
  tempUploads: z
    .strictObject({
      perMinute: z.int().positive().default(3),
      perHour: z.int().positive().default(5),
    })
    .prefault({}),
  /** Sign-in mails that one e-mail address gets in an hour. More make it easier to flood a person's mailbox. */
  signInMailsPerHour: z.int().min(1).max(100).default(defaultSignInMailsPerHour),
  /** Who signs the tokens of jobs that publish without a stored key: another one for a server of your own. */
  ciIssuers: CiIssuers,
  throttles: Throttles,
  /**
   * How many ZIP downloads are sent at the same time, as a reservation of Lambda: they keep the rest of the
   * account's functions free, and no more of them run. AWS leaves 100 without a reservation.
   */
  streamsConcurrency: z.int().min(1).max(100_000).optional(),
  /**
   * Certificates for custom domains that are requested in 365 days. ACM allows 5,000 to an AWS account, and
   * other stages and services request some too.
   */
  certificatesPerYear: z.int().min(1).max(1_000_000).default(4000),
};

/** What is watched, kept and switched. */
const operation = {
  alarmEmail: z.email().optional(),
  /** US dollars that the AWS account may cost in a month before `alarmEmail` gets a mail. */
  monthlyBudget: z.number().positive().optional(),
  logRetentionDays: RetentionDays.default(30),
  /** A line for each request that CloudFront answers, without addresses, in CloudWatch Logs. */
  edgeLogs: z.boolean().default(false),
  deletedKeptDays: z.int().min(0).max(365).default(30),
  /**
   * Days for which the rows and files of an earlier moment can be restored, deleted ones included. After
   * these days nothing is left of what was deleted.
   */
  backupDays: z.int().min(1).max(35).default(7),
  waf: z.boolean().default(false),
  /** Number of the key with which CloudFront opens the API. Increase it by one to replace the key (docs/runbook.md). */
  apiKeyGeneration: z.int().positive().default(1),
};

const Fields = z.strictObject({ ...addresses, ...presentation, ...access, ...operation });

/** Everything that an installation may choose; `{}` is a valid choice. */
export const Settings = Fields.superRefine((settings, context) => {
  if (settings.mailIdentity !== undefined && (settings.mailFrom ?? null) === null) {
    context.addIssue({
      code: 'custom',
      path: ['mailIdentity'],
      message: 'needs a sender: set `mailFrom` to the address that mails come from, or remove this',
    });
  }
  if (settings.monthlyBudget !== undefined && settings.alarmEmail === undefined) {
    context.addIssue({
      code: 'custom',
      path: ['monthlyBudget'],
      message: 'needs a recipient: set `alarmEmail`, or remove this',
    });
  }
  checkPolicies(settings, context);
  checkZone(settings, 'app', context);
  checkZone(settings, 'sites', context);
  if (isLocal(settings)) return;
  for (const [provider, issuer] of Object.entries(settings.ciIssuers)) {
    if (issuer.startsWith('https:')) continue;
    const message = 'must be an address with https://';
    context.addIssue({ code: 'custom', path: ['ciIssuers', provider], message });
  }
  if (settings.sitesDomain.includes(':')) {
    context.addIssue({ code: 'custom', path: ['sitesDomain'], message: 'must not have a port' });
  }
  if (sharesCookies(settings.appDomain, settings.sitesDomain)) {
    context.addIssue({
      code: 'custom',
      path: ['sitesDomain'],
      message:
        'must not be the app domain, above it or under it: published pages would share its cookies',
    });
  }
});
export type Settings = z.infer<typeof Settings>;

/** `/privacy` and `/terms` lead to these pages, and must not lead to themselves. */
function checkPolicies(settings: z.infer<typeof Fields>, context: z.core.$RefinementCtx): void {
  for (const field of ['privacy', 'terms'] as const) {
    const page = URL.parse(settings.policies[field] ?? '');
    const isOurs = Object.values(policyPaths).includes(page?.pathname.replace(/\/+$/, '') ?? '');
    if (page?.host !== settings.appDomain || !isOurs) continue;
    const message = 'must be the page itself: this address of the app leads to it';
    context.addIssue({ code: 'custom', path: ['policies', field], message });
  }
}

/** A zone holds its domain. */
function checkZone(
  settings: z.infer<typeof Fields>,
  which: 'app' | 'sites',
  context: z.core.$RefinementCtx,
): void {
  const name = settings[`${which}Zone`]?.name;
  const domain = settings[`${which}Domain`];
  if (name === undefined || domain === name || domain.endsWith(`.${name}`)) return;
  const message = `must be ${domain} or a domain above it`;
  context.addIssue({ code: 'custom', path: [`${which}Zone`, 'name'], message });
}

function sharesCookies(app: string, sites: string): boolean {
  return app === sites || app.endsWith(`.${sites}`) || sites.endsWith(`.${app}`);
}

/**
 * Parses settings. Throws one error that names every invalid field, and for an unknown one the nearest
 * name.
 * @param source where the settings come from, for the error
 */
export function parseSettings(input: unknown, source = 'The settings'): Settings {
  const parsed = Settings.safeParse(input ?? {});
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.flatMap((issue) => describeIssue(issue, settingsSchema()));
  throw new SettingsError(`${source} cannot be used:\n${problems.join('\n')}`);
}

/** The JSON schema of the settings, as a person writes them. */
export function settingsSchema(): z.core.JSONSchema.JSONSchema {
  return z.toJSONSchema(Fields, { io: 'input' });
}

/** True when the app is synthesized for the local cloud, the only one whose domains have a port. */
export function isLocal({ appDomain }: Pick<Settings, 'appDomain'>): boolean {
  return appDomain.includes(':');
}

/** The scheme of every address. */
export function originScheme(settings: Pick<Settings, 'appDomain'>): 'http' | 'https' {
  return isLocal(settings) ? 'http' : 'https';
}

/** The app's origin: scheme and host, no trailing slash. */
export function appOrigin(settings: Pick<Settings, 'appDomain'>): string {
  return `${originScheme(settings)}://${settings.appDomain}`;
}

/** A host name without its port, which a CloudFront alias cannot have. */
export function hostName(host: string): string {
  return host.replace(/:\d+$/, '');
}

/** The settings of the local cloud on its default port. */
export const localExample: Settings = Settings.parse({
  appDomain: 'localhost:8787',
  sitesDomain: 'sites.localhost:8787',
});
