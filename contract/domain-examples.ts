import type * as z from 'zod';
import type { Domain, DomainDetail } from './domain.ts';
import { example } from './examples.ts';

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
