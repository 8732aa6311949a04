import * as z from 'zod';
import { defaultSignInMailsPerHour } from '../contract/limits.ts';
import { policyPaths } from '../contract/discovery/policies.ts';
import { Plans } from '../contract/plans.ts';
import { describeIssue } from './stages/describe-issue.ts';
import { SettingsError } from './stages/settings-error.ts';

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const HOST = new RegExp(`^${LABEL}(?:\\.${LABEL})*(?::\\d{1,5})?$`);

const Host = z.string().regex(HOST, 'must be a lowercase host name, without scheme or path');
/** CloudFront takes certificates from us-east-1 only. */
const CertificateArn = z
  .string()
  .regex(
    /^arn:aws:acm:us-east-1:\d{12}:certificate\/[0-9a-f-]+$/,
    'must be the ARN of an ACM certificate in us-east-1',
  );
const ZoneId = z
  .string()
  .regex(
    /^Z[A-Z0-9]{1,31}$/,
    'must be the id of a Route 53 hosted zone, like Z0123456789ABCDEFGHIJ',
  );
const HttpsUrl = z.url({ protocol: /^https$/, error: 'must be an address with https://' });
/** Stands inside of headers, error texts and pages. The parser of URLs drops line breaks and adds slashes silently. */
const PlainUrl = z.string().max(2000).refine(isPlainAddress, {
  error: 'must be an address with https://, without user, password, spaces and control characters',
});

function isPlainAddress(text: string): boolean {
  if (!/^https:\/\/[^/]/i.test(text) || /[\s\p{Cc}\p{Cf}\p{Cs}\\]/u.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.username === '' && url.password === '' && !hasUserInfo.test(text);
}

/** Also an empty one (`https://@host`), which the parser drops. */
const hasUserInfo = /^https:\/\/[^/?#]*@/i;

/** The values that CloudWatch Logs accepts, up to two years. */
const RetentionDays = z.literal([1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731]);

const Throttles = z
  .strictObject({
    requestsPerSecond: z.int().positive().default(500),
    burst: z.int().positive().default(1000),
    anonymousWritesPerSecond: z.int().positive().default(200),
    anonymousWritesBurst: z.int().positive().default(400),
  })
  .prefault({});

const Fields = z.strictObject({
  appDomain: Host.default('app.example.com'),
  sitesDomain: Host.default('sites.example.net'),
  /** Whether browsers separate the cookies of sites (https://publicsuffix.org). Synth warns while it is false. */
  sitesDomainOnPublicSuffixList: z.boolean().default(false),
  appCertificateArn: CertificateArn.optional(),
  sitesCertificateArn: CertificateArn.optional(),
  /** Route 53 zones. With them the stack makes certificates, addresses and the records of mail. */
  appZoneId: ZoneId.optional(),
  appZoneName: Host.optional(),
  sitesZoneId: ZoneId.optional(),
  sitesZoneName: Host.optional(),
  mailFrom: z.email().optional(),
  /** Says that `mailFrom` is left out on purpose: nobody gets a sign-in code by mail. */
  withoutMail: z.boolean().default(false),
  /**
   * The identity of `mailFrom` in SES: its domain (default) or only the address, made by this stack, or
   * one that exists already.
   */
  mailIdentity: z.enum(['domain', 'address', 'existing']).optional(),
  alarmEmail: z.email().optional(),
  /** US dollars that the AWS account may cost in a month before `alarmEmail` gets a mail. */
  monthlyBudget: z.number().positive().optional(),
  /** A line for each request that CloudFront answers, without addresses, in CloudWatch Logs. */
  edgeLogs: z.boolean().default(false),
  /** Contact for security reports (RFC 9116). Without it there is no `/.well-known/security.txt`. */
  securityContact: z.union([z.email(), HttpsUrl]).optional(),
  securityPolicy: HttpsUrl.optional(),
  /** The operator's own pages. `/privacy` and `/terms` lead there, and apps that connect are told of them. */
  privacyPolicy: PlainUrl.optional(),
  termsOfService: PlainUrl.optional(),
  /** Where accounts upgrade; errors about plans name it. */
  upgradeUrl: z.union([z.email(), PlainUrl]).optional(),
  /** E-mail addresses of the accounts that see reports, take projects down and suspend accounts in the web app. */
  operators: z.array(z.email()).max(20).default([]),
  signUpPolicy: z.enum(['open', 'invite', 'closed']).default('open'),
  /** Sign-in mails that one e-mail address gets in an hour. More make it easier to flood a person's mailbox. */
  signInMailsPerHour: z.int().min(1).max(100).default(defaultSignInMailsPerHour),
  trialDays: z.int().min(0).max(365).default(7),
  keyPrefix: z
    .string()
    .regex(/^[a-z][a-z0-9]{1,9}$/, 'must be 2 to 10 lowercase letters and digits')
    .default('sw'),
  brand: z.string().min(1).max(60).default('Slipway'),
  plans: Plans,
  /**
   * Certificates for custom domains that are requested in 365 days. ACM allows 5,000 to an AWS account, and
   * other stages and services request some too.
   */
  certificatesPerYear: z.int().min(1).max(1_000_000).default(4000),
  /**
   * How many ZIP downloads and large files are sent at the same time, as a reservation of Lambda: they keep the
   * rest of the account's functions free, and no more of them run. AWS leaves 100 without a reservation.
   */
  streamsConcurrency: z.int().min(1).max(100_000).optional(),
  deletedKeptDays: z.int().min(0).max(365).default(30),
  /**
   * Days for which the rows and files of an earlier moment can be restored, deleted ones included. After
   * these days nothing is left of what was deleted.
   */
  backupDays: z.int().min(1).max(35).default(7),
  /** Number of the key that signs links to large files. Increase it by one to replace the key (docs/runbook.md). */
  mediaKeyGeneration: z.int().positive().default(1),
  waf: z.boolean().default(false),
  /**
   * Gives files over 4 MB an address of their own, from which a function streams them. Without it, they get a
   * signed link of five seconds, which browsers do not keep.
   */
  largeFileStreams: z.boolean().default(true),
  /** Sends media players the first 4 MB of a longer range. Without it, they get what other clients get. */
  mediaPieces: z.boolean().default(true),
  /** Whether a link to a large file is signed for its address alone, or also as the edge function rewrites it. */
  mediaLinkScope: z.enum(['address', 'any-prefix']).default('address'),
  /** Shows visitors a 503 page while Lambda throttles, with an origin group that the edge function creates. */
  busyPage: z.boolean().default(true),
  tempUploadsPerMinute: z.int().positive().default(3),
  tempUploadsPerHour: z.int().positive().default(5),
  logRetentionDays: RetentionDays.default(30),
  throttles: Throttles,
  /** `http` only for the local cloud; every deployed address is `https`. */
  originScheme: z.enum(['https', 'http']).default('https'),
});

/** Everything that an installation may choose; `{}` is a valid choice. */
export const Settings = Fields.superRefine((settings, context) => {
  if (settings.mailIdentity !== undefined && settings.mailFrom === undefined) {
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
  if (settings.originScheme === 'http') return;
  for (const field of ['appDomain', 'sitesDomain'] as const) {
    if (!settings[field].includes(':')) continue;
    context.addIssue({ code: 'custom', path: [field], message: 'must not have a port' });
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
  for (const field of ['privacyPolicy', 'termsOfService'] as const) {
    const page = URL.parse(settings[field] ?? '');
    const isOurs = Object.values(policyPaths).includes(page?.pathname.replace(/\/+$/, '') ?? '');
    if (page?.host !== settings.appDomain || !isOurs) continue;
    const message = 'must be the page itself: this address of the app leads to it';
    context.addIssue({ code: 'custom', path: [field], message });
  }
}

/** A zone is given by id and name, and holds its domain. */
function checkZone(
  settings: z.infer<typeof Fields>,
  which: 'app' | 'sites',
  context: z.core.$RefinementCtx,
): void {
  const [id, name] = [settings[`${which}ZoneId`], settings[`${which}ZoneName`]];
  const domain = settings[`${which}Domain`];
  const refuse = (message: string) =>
    context.addIssue({ code: 'custom', path: [`${which}ZoneName`], message });
  if ((id === undefined) !== (name === undefined)) {
    refuse(`and ${which}ZoneId belong together: set both or neither`);
  } else if (name !== undefined && domain !== name && !domain.endsWith(`.${name}`)) {
    refuse(`must be ${domain} or a domain above it`);
  }
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

/** True when the app is synthesized for the local cloud. */
export function isLocal(settings: Settings): boolean {
  return settings.originScheme === 'http';
}

/** The app's origin: scheme and host, no trailing slash. */
export function appOrigin({ originScheme, appDomain }: Settings): string {
  return `${originScheme}://${appDomain}`;
}

/** A host name without its port, which a CloudFront alias cannot have. */
export function hostName(host: string): string {
  return host.replace(/:\d+$/, '');
}

/** The settings of the local cloud on its default port. */
export const localExample: Settings = Settings.parse({
  originScheme: 'http',
  appDomain: 'localhost:8787',
  sitesDomain: 'sites.localhost:8787',
});
