import * as z from 'zod';
import { DomainId, Instant, ProjectId } from './fields.ts';
import { example } from './examples.ts';

/** The status of a custom domain; see docs/contract.md, "Custom domains". */
export const DomainStatus = z.enum([
  'pending_verification',
  'propagation_wait',
  'active',
  'error_dns',
  'ssl_pending',
  'ssl_active',
]);
export type DomainStatus = z.infer<typeof DomainStatus>;

/** The purpose of a DNS record. `root` is optional: it serves a project at the bare domain. */
export const RecordPurpose = z.enum(['ownership', 'certificate', 'sites', 'root']);
export type RecordPurpose = z.infer<typeof RecordPurpose>;

/**
 * The result of the last check. `preparing`: we do not know the record yet. `unknown`: no server
 * answered, or the answer does not tell.
 */
export const RecordState = z.enum(['preparing', 'missing', 'wrong', 'spreading', 'ok', 'unknown']);
export type RecordState = z.infer<typeof RecordState>;

/** A DNS record that a domain needs, and what the last check found. */
export const DomainRecord = z.object({
  type: z.enum(['TXT', 'CNAME', 'ALIAS']),
  name: z.string().nullable().describe('The full name; null while `state` is `preparing`.'),
  value: z.string().nullable().describe('Null while `state` is `preparing`.'),
  purpose: RecordPurpose,
  found: z.array(z.string()).describe('What DNS answers now.'),
  state: RecordState,
  hint: z.string().nullable().describe('The likely mistake, or what to do next.'),
});
export type DomainRecord = z.infer<typeof DomainRecord>;

/** A custom domain as its owner sees it. */
export const Domain = z.object({
  id: DomainId,
  domain: z.string(),
  status: DomainStatus,
  verifiedAt: z.nullable(Instant),
  projectCount: z.number().int(),
  createdAt: Instant,
});
export type Domain = z.infer<typeof Domain>;

/** A domain with its projects and records. */
export const DomainDetail = Domain.extend({
  projects: z.array(
    z.object({ id: ProjectId, title: z.string(), slug: z.string(), status: z.string() }),
  ),
  rootProjectId: z.nullable(ProjectId),
  records: z.array(DomainRecord),
  /** When the records were last checked, and when they will be checked next. */
  checkedAt: z.nullable(Instant),
  nextCheckAt: z.nullable(Instant),
  certificateExpiresAt: z.nullable(Instant),
});
export type DomainDetail = z.infer<typeof DomainDetail>;

/**
 * The tags of certificates and tenants of custom domains, which are in no stack. The permissions of the
 * functions depend on the stage's.
 */
export const domainTags = {
  domain: 'slipway:domain',
  /** The stage that made it: another stage in the same AWS account may not change it. */
  stage: 'slipway:stage',
} as const;

/** A domain whose records are not set yet. */
export const exampleDomain: z.input<typeof Domain> = {
  id: example.domainId,
  domain: 'example.com',
  status: 'pending_verification',
  verifiedAt: null,
  projectCount: 0,
  createdAt: example.at,
};

/** The same with its records. */
export const exampleDomainDetail: z.input<typeof DomainDetail> = {
  ...exampleDomain,
  projects: [],
  rootProjectId: null,
  records: [
    {
      type: 'TXT',
      name: '_slipway.example.com',
      value: 'slipway-verification=9d0e2f1a6f0c9a114c395f600b7e4c1a',
      purpose: 'ownership',
      found: [],
      state: 'missing',
      hint: 'There is no record with this name yet. New records can take some minutes to appear.',
    },
    {
      type: 'CNAME',
      name: '_5f600b7e4c1a9d0e.example.com',
      value: '_2f1a6f0c9a114c39.acm-validations.aws',
      purpose: 'certificate',
      found: [],
      state: 'missing',
      hint: 'There is no record with this name yet. New records can take some minutes to appear.',
    },
    {
      type: 'CNAME',
      name: '*.example.com',
      value: 'cname.sites.example.net',
      purpose: 'sites',
      found: [],
      state: 'missing',
      hint: 'There is no record with this name yet. New records can take some minutes to appear.',
    },
  ],
  checkedAt: null,
  nextCheckAt: example.later,
  certificateExpiresAt: null,
};
