import { expect, test } from '@jest/globals';
import type { StoredDomain } from '../../../../core/domains/domain.ts';
import { noticeFor } from '../../../../core/domains/domain-notices.ts';
import { aDomain } from '../../../fixtures/domains/a-domain.ts';

const now = new Date('2026-03-10T12:00:00.000Z');
const at = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString();
const unset = {
  type: 'CNAME' as const,
  name: '_a.customer.com',
  value: '_b.acm-validations.aws',
  found: [],
  hint: null,
  purpose: 'certificate' as const,
  state: 'missing' as const,
};
const rightRoot = { ...unset, purpose: 'root' as const, name: 'customer.com' };

type Case = [
  what: string,
  before: Partial<StoredDomain>,
  after: Partial<StoredDomain> & { isResting?: boolean },
  notice: { kind: string; detail?: string } | undefined,
];

test.each<Case>([
  ['nothing', {}, {}, undefined],
  [
    'records that are gone',
    {},
    { status: 'error_dns', records: [unset, rightRoot] },
    { kind: 'lost-records', detail: 'CNAME _a.customer.com _b.acm-validations.aws' },
  ],
  ['records that stay away', { status: 'error_dns' }, { status: 'error_dns' }, undefined],
  [
    'records that are gone again within a day',
    { noticedAt: at(-0.9) },
    { status: 'error_dns', waitingSince: at(0) },
    undefined,
  ],
  [
    'the same, when the day is over',
    { status: 'error_dns', noticedAt: at(-1), waitingSince: at(-0.1) },
    { status: 'error_dns' },
    { kind: 'lost-records' },
  ],
  [
    'records that stay away, told when they went',
    { status: 'error_dns', noticedAt: at(-3), waitingSince: at(-3) },
    { status: 'error_dns' },
    undefined,
  ],
  ['a domain that was never verified', { verifiedAt: null }, { status: 'error_dns' }, undefined],
  [
    'a certificate that ends, with the record that is missing',
    { certificateExpiresAt: at(30), records: [unset] },
    {},
    {
      kind: 'certificate-ends',
      detail: `${at(30)}\nCNAME _a.customer.com _b.acm-validations.aws`,
    },
  ],
  ['a certificate that ends later', { certificateExpiresAt: at(31) }, {}, undefined],
  [
    'a certificate that ends, told six days ago',
    { certificateExpiresAt: at(20), noticedAt: at(-6) },
    {},
    undefined,
  ],
  [
    'a certificate that ends, told a week ago',
    { certificateExpiresAt: at(20), noticedAt: at(-7) },
    {},
    { kind: 'certificate-ends' },
  ],
  ['a certificate that ended long ago', { certificateExpiresAt: at(-8) }, {}, undefined],
  [
    'a certificate that was renewed just now',
    { certificateExpiresAt: at(20) },
    { certificateExpiresAt: at(390) },
    undefined,
  ],
  ['a plan that ends', {}, { planEndedAt: at(0) }, { kind: 'plan-ended', detail: at(14) }],
  [
    'a domain that begins to rest',
    { planEndedAt: at(-14), noticedAt: at(-14) },
    { isResting: true },
    { kind: 'resting' },
  ],
  [
    'a domain that rests already',
    { planEndedAt: at(-15), noticedAt: at(-1) },
    { isResting: true },
    undefined,
  ],
])('%s', (_, before, after, notice) => {
  const domain = aDomain({ verifiedAt: at(-100), ...before });
  const changed = { status: domain.status, isResting: false, ...after };
  const found = noticeFor(domain, changed, now);
  if (notice === undefined) expect(found).toBeUndefined();
  else expect(found).toMatchObject({ domain: 'customer.com', ...notice });
});
