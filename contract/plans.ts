import * as z from 'zod';
import { Instant, Tier } from './fields.ts';

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

const Limit = z.int().min(-1);

/** The limits of one plan; -1 means unlimited. */
export const PlanLimits = z.strictObject({
  maxProjects: Limit,
  maxStorageBytes: Limit,
  maxFilesPerProject: Limit,
  maxVisitorsPerMonth: Limit,
  maxBytesPerMonth: Limit,
  maxUploadBytes: Limit,
  customDomains: Limit,
  versionsKept: Limit,
  maxLinks: Limit,
  maxPeople: Limit,
  maxWebhooks: Limit,
  requestsPerMinute: Limit,
});
export type PlanLimits = z.infer<typeof PlanLimits>;

/** The default limits of every plan; an installation may override them. */
export const defaultPlans = {
  free: {
    maxProjects: 5,
    maxStorageBytes: 250 * MIB,
    maxFilesPerProject: 100,
    maxVisitorsPerMonth: 5000,
    maxBytesPerMonth: 10 * GIB,
    maxUploadBytes: 25 * MIB,
    customDomains: 0,
    versionsKept: 1,
    maxLinks: 5,
    maxPeople: 10,
    maxWebhooks: 1,
    requestsPerMinute: 60,
  },
  starter: {
    maxProjects: 10,
    maxStorageBytes: 2 * GIB,
    maxFilesPerProject: 500,
    maxVisitorsPerMonth: 25_000,
    maxBytesPerMonth: 100 * GIB,
    maxUploadBytes: 100 * MIB,
    customDomains: 1,
    versionsKept: 5,
    maxLinks: 25,
    maxPeople: 50,
    maxWebhooks: 3,
    requestsPerMinute: 120,
  },
  pro: {
    maxProjects: 25,
    maxStorageBytes: 5 * GIB,
    maxFilesPerProject: 2000,
    maxVisitorsPerMonth: 100_000,
    maxBytesPerMonth: 500 * GIB,
    maxUploadBytes: 500 * MIB,
    customDomains: 5,
    versionsKept: 20,
    maxLinks: 100,
    maxPeople: 250,
    maxWebhooks: 10,
    requestsPerMinute: 300,
  },
  agency: {
    maxProjects: 100,
    maxStorageBytes: 25 * GIB,
    maxFilesPerProject: 10_000,
    maxVisitorsPerMonth: 500_000,
    maxBytesPerMonth: 2048 * GIB,
    maxUploadBytes: GIB,
    customDomains: 25,
    versionsKept: 50,
    maxLinks: 250,
    maxPeople: 500,
    maxWebhooks: 10,
    requestsPerMinute: 600,
  },
  scale: {
    maxProjects: -1,
    maxStorageBytes: 100 * GIB,
    maxFilesPerProject: 20_000,
    maxVisitorsPerMonth: -1,
    maxBytesPerMonth: -1,
    maxUploadBytes: 5 * GIB,
    customDomains: -1,
    versionsKept: 100,
    maxLinks: 500,
    maxPeople: 500,
    maxWebhooks: 10,
    requestsPerMinute: 1200,
  },
} as const satisfies Record<string, PlanLimits>;

function planWith(defaults: PlanLimits) {
  return PlanLimits.partial()
    .default({})
    .transform((override): PlanLimits => ({ ...defaults, ...definedOnly(override) }));
}

function definedOnly(override: Partial<Record<keyof PlanLimits, number | undefined>>) {
  return Object.fromEntries(Object.entries(override).filter(([, value]) => value !== undefined));
}

/** Plan limits in the settings of an installation: only those that differ from the defaults. */
export const Plans = z
  .strictObject({
    free: planWith(defaultPlans.free),
    starter: planWith(defaultPlans.starter),
    pro: planWith(defaultPlans.pro),
    agency: planWith(defaultPlans.agency),
    scale: planWith(defaultPlans.scale),
  })
  .prefault({});

/** Usage and limits of projects and storage; -1 means unlimited. */
export const Quota = z.object({
  projects: z.object({
    used: z.number().int(),
    limit: z.number().int(),
    unlimited: z.boolean(),
  }),
  storage: z.object({
    usedBytes: z.number().int(),
    limitBytes: z.number().int(),
    unlimited: z.boolean(),
  }),
});
export type Quota = z.infer<typeof Quota>;

/** The plan of an account, its limits, their usage, and where the plan can be changed. */
export const PlanFacts = z.object({
  plan: z.object({
    tier: Tier,
    trialEndsAt: z.nullable(Instant).describe('Until then a free account has the plan `pro`'),
    upgradeUrl: z.string().nullable().describe('Where to change the plan'),
    limits: z.object({
      maxProjects: z.number().int(),
      maxStorageBytes: z.number().int(),
      maxFilesPerProject: z.number().int(),
      maxVisitorsPerMonth: z.number().int(),
      maxBytesPerMonth: z.number().int(),
      maxUploadBytes: z.number().int(),
    }),
  }),
  quota: Quota,
});
export type PlanFacts = z.infer<typeof PlanFacts>;

/** The usage that counts towards the plan in this month (UTC). */
export const MonthUsage = z.object({
  visits: z.number().int(),
  bytes: z.number().int(),
});
