import { expect, test } from '@jest/globals';
import type { DomainRecord } from '../../../../contract/domain.ts';
import type { StoredDomain } from '../../../../core/domains/domain.ts';
import { troublesOf } from '../../../../core/domains/domain-trouble.ts';
import { aDomain } from '../../../fixtures/domains/a-domain.ts';

const now = new Date('2026-03-10T12:00:00.000Z');
const at = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString();
const days = 24;
const record = (state: DomainRecord['state'], purpose: DomainRecord['purpose'] = 'sites') => ({
  type: 'CNAME' as const,
  name: 'a',
  value: 'b',
  found: [],
  hint: null,
  purpose,
  state,
});
const pending = { status: 'ssl_pending', waitingSince: at(-6) } as const;

test.each<[string, Partial<StoredDomain>, string[]]>([
  ['a domain that serves', {}, []],
  [
    'a certificate that ends in 30 days',
    { certificateExpiresAt: at(30 * days) },
    ['certificate-ends'],
  ],
  ['a certificate that ends later', { certificateExpiresAt: at(30 * days + 1) }, []],
  [
    'a certificate that ended this week',
    { certificateExpiresAt: at(-6 * days) },
    ['certificate-ends'],
  ],
  ['a certificate that ended before', { certificateExpiresAt: at(-7 * days) }, []],
  ['no certificate yet', { certificateExpiresAt: null }, []],
  ['six hours without tenant', pending, ['stuck']],
  ['six hours as active', { ...pending, status: 'active' }, ['stuck']],
  ['less', { ...pending, waitingSince: at(-5.9) }, []],
  [
    'records that are not all right',
    { ...pending, records: [record('missing', 'certificate')] },
    [],
  ],
  [
    'a root record that is missing',
    { ...pending, records: [record('missing', 'root')] },
    ['stuck'],
  ],
  ['records that are right', { ...pending, records: [record('ok')] }, ['stuck']],
  ['its owner’s records', { ...pending, status: 'pending_verification' }, []],
  ['a wrong record', { ...pending, status: 'error_dns', records: [record('wrong')] }, []],
  [
    'no certificate requested',
    {
      ...pending,
      status: 'pending_verification',
      certificateArn: null,
      records: [record('missing')],
    },
    // It is requested for proven names only: its owner is awaited.
    [],
  ],
  [
    'no certificate for a proven name',
    { ...pending, status: 'active', certificateArn: null, records: [record('preparing')] },
    ['stuck'],
  ],
  [
    'no certificate, because the account has had its share',
    {
      ...pending,
      status: 'active',
      certificateArn: null,
      certificateRefusal: 'day',
      records: [record('preparing')],
    },
    [],
  ],
  ['a removal that does not end', { removingAt: at(-6) }, ['stuck']],
  ['a removal', { removingAt: at(-5), certificateExpiresAt: at(1) }, []],
])('%s', (_, changes, kinds) => {
  const seen = troublesOf(aDomain(changes), { isResting: false }, now);
  expect(seen.map(({ kind }) => kind)).toEqual(kinds);
});

test('a domain that rests because of its plan waits for nobody', () => {
  expect(troublesOf(aDomain(pending), { isResting: true }, now)).toEqual([]);
});
