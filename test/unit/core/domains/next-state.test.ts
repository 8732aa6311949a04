import { describe, expect, test } from '@jest/globals';
import { DomainStatus, type RecordState } from '../../../../contract/domain.ts';
import type { StoredDomain } from '../../../../core/domains/domain.ts';
import {
  type DomainObservation,
  nextCheckAt,
  nextStatus,
  observedChange,
  tenantAction,
} from '../../../../core/domains/next-state.ts';
import { aDomain } from '../../../fixtures/domains/a-domain.ts';

const now = new Date('2026-11-22T12:00:00.000Z');
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString();
const validation = { name: '_a.customer.com', value: '_b.acm-validations.aws' };
const issued = { kind: 'issued', validation, expiresAt: '2027-06-01T00:00:00.000Z' } as const;
const pending = { kind: 'pending', validation } as const;
const live = { kind: 'deployed', enabled: true } as const;

type States = readonly [ownership: RecordState, sites: RecordState, certificate?: RecordState];

function observation(states: States, rest: Partial<DomainObservation> = {}): DomainObservation {
  const [ownership, sites, certificate = 'missing'] = states;
  const record = (purpose: 'ownership' | 'sites' | 'certificate', state: RecordState) => ({
    type: 'CNAME' as const,
    name: null,
    value: null,
    found: [],
    hint: null,
    purpose,
    state,
  });
  return {
    records: [
      record('ownership', ownership),
      record('certificate', certificate),
      record('sites', sites),
    ],
    proof: ownership === 'ok' || ownership === 'spreading' ? 'present' : 'absent',
    isDelegated: false,
    certificate: pending,
    tenant: { kind: 'none' },
    ...rest,
  };
}

const waiting = (status: DomainStatus) => ({
  status,
  verifiedAt: null,
  waitingSince: hoursAgo(1),
});
const verified = (status: DomainStatus) => ({ ...waiting(status), verifiedAt: hoursAgo(1) });
const proved = ['ok', 'ok'] as const;

/** What is seen, and the next status of a domain that was never verified, then of one that was. */
const table: [string, DomainObservation, DomainStatus | 'same', DomainStatus | 'same'][] = [
  ['nothing', observation(['missing', 'missing']), 'pending_verification', 'error_dns'],
  ['only the proof', observation(['ok', 'missing']), 'propagation_wait', 'error_dns'],
  ['only the routing', observation(['missing', 'ok']), 'propagation_wait', 'error_dns'],
  [
    'only the validation',
    observation(['missing', 'missing', 'ok']),
    'propagation_wait',
    'error_dns',
  ],
  ['resolvers that disagree', observation(['spreading', 'ok']), 'propagation_wait', 'same'],
  ['a wrong target', observation(['ok', 'wrong']), 'error_dns', 'error_dns'],
  ['an old text', observation(['wrong', 'ok']), 'error_dns', 'error_dns'],
  ['CAA that forbids', observation(['ok', 'ok', 'wrong']), 'error_dns', 'error_dns'],
  [
    'a failed certificate',
    observation(proved, { certificate: { kind: 'failed', reason: 'CAA_ERROR' } }),
    'error_dns',
    'error_dns',
  ],
  [
    'servers that do not answer',
    observation(['unknown', 'unknown'], { proof: 'unknown' }),
    'same',
    'same',
  ],
  ['one server that does not answer', observation(['ok', 'unknown']), 'same', 'same'],
];

describe('every status and every observation', () => {
  const cases = DomainStatus.options.flatMap((status) =>
    table.map(([what, seen, fresh, known]) => [status, what, seen, fresh, known] as const),
  );

  test.each(cases)('%s sees %s', (status, _, seen, fresh, known) => {
    expect(nextStatus(waiting(status), seen, now)).toBe(fresh === 'same' ? status : fresh);
    expect(nextStatus(verified(status), seen, now)).toBe(known === 'same' ? status : known);
  });

  test.each([
    ['pending_verification', 'active', 'active', 'active'],
    ['propagation_wait', 'active', 'active', 'active'],
    ['error_dns', 'active', 'active', 'active'],
    ['active', 'ssl_pending', 'ssl_pending', 'ssl_active'],
    ['ssl_pending', 'ssl_pending', 'ssl_pending', 'ssl_active'],
    ['ssl_active', 'ssl_pending', 'ssl_active', 'ssl_active'],
  ] as const)('%s with all records', (status, withoutCertificate, deploying, served) => {
    const changing = { kind: 'deploying', enabled: true } as const;
    expect(nextStatus(verified(status), observation(proved), now)).toBe(withoutCertificate);
    const isDeploying = observation(proved, { certificate: issued, tenant: changing });
    expect(nextStatus(verified(status), isDeploying, now)).toBe(deploying);
    const isLive = observation(proved, { certificate: issued, tenant: live });
    expect(nextStatus(verified(status), isLive, now)).toBe(served);
  });

  test.each(DomainStatus.options)('%s keeps its status while AWS does not answer', (status) => {
    const blind = { certificate: { kind: 'unknown' }, tenant: { kind: 'unknown' } } as const;
    const after = nextStatus(verified(status), observation(proved, blind), now);
    const isServed = ['active', 'ssl_pending', 'ssl_active'].includes(status);
    expect(after).toBe(isServed ? status : 'active');
  });

  test('after 72 hours without its records a domain is an error, also in part', () => {
    const old = { ...waiting('pending_verification'), waitingSince: hoursAgo(72) };
    expect(nextStatus(old, observation(['missing', 'missing']), now)).toBe('error_dns');
    expect(nextStatus(old, observation(['ok', 'missing']), now)).toBe('error_dns');
    expect(nextStatus(old, observation(proved), now)).toBe('active');
  });
});

describe('the tenant', () => {
  const ready = { verifiedAt: hoursAgo(1), isResting: false };
  const off = { kind: 'deployed', enabled: false } as const;

  test.each([
    [
      'is created once the certificate is issued',
      observation(proved, { certificate: issued }),
      'create',
    ],
    ['waits for the certificate', observation(proved), 'none'],
    ['stays', observation(proved, { certificate: issued, tenant: live }), 'none'],
    ['is enabled again', observation(proved, { certificate: issued, tenant: off }), 'enable'],
    ['is disabled without the proof', observation(['missing', 'ok'], { tenant: live }), 'disable'],
    [
      'is not created without the proof',
      observation(['missing', 'ok'], { certificate: issued }),
      'none',
    ],
    [
      'stays while nobody answers',
      observation(['unknown', 'unknown'], { proof: 'unknown', tenant: live }),
      'none',
    ],
    [
      'is not enabled while nobody answers',
      observation(['unknown', 'unknown'], { proof: 'unknown', tenant: off }),
      'none',
    ],
    [
      'is not created while nobody answers',
      observation(['unknown', 'ok'], { proof: 'unknown', certificate: issued }),
      'none',
    ],
  ] as const)('%s', (_, seen, action) => {
    expect(tenantAction(ready, seen)).toBe(action);
  });

  test('rests when the plan has ended, and is not created before the domain is verified', () => {
    const seen = observation(proved, { certificate: issued, tenant: live });
    expect(tenantAction({ ...ready, isResting: true }, seen)).toBe('disable');
    const none = observation(proved, { certificate: issued });
    expect(tenantAction({ ...ready, isResting: true }, none)).toBe('none');
    expect(tenantAction({ verifiedAt: null, isResting: false }, none)).toBe('none');
  });
});

test.each([
  ['pending_verification', 0, 60],
  ['pending_verification', 0.49, 60],
  ['propagation_wait', 0.5, 600],
  ['ssl_pending', 23.9, 600],
  ['error_dns', 24, 3600],
  ['error_dns', 72, 86_400],
  ['ssl_active', 0, 3600],
  ['ssl_active', 1000, 3600],
] as const)('%s after %d hours is looked at in %d seconds', (status, hours, seconds) => {
  const at = nextCheckAt(
    { status, waitingSince: hoursAgo(hours), proven: false, removingAt: null },
    now,
  );
  expect(Date.parse(at) - now.getTime()).toBe(seconds * 1000);
});

test('a domain whose tenant may be on is never left alone for a day', () => {
  const broken = {
    status: 'error_dns',
    waitingSince: hoursAgo(1000),
    proven: true,
    removingAt: null,
  } as const;
  expect(Date.parse(nextCheckAt(broken, now)) - now.getTime()).toBe(3_600_000);
});

describe('what an observation changes', () => {
  const before = (status: DomainStatus, changes = {}) =>
    aDomain({ status, verifiedAt: hoursAgo(90), waitingSince: hoursAgo(80), ...changes });
  const served = observation(proved, { certificate: issued, tenant: live });

  test.each<[string, StoredDomain, DomainObservation, boolean]>([
    ['records that are gone', before('ssl_active'), observation(['missing', 'ok']), true],
    ['records that are right again', before('error_dns'), served, true],
    ['a tenant that is gone', before('ssl_active'), observation(proved), true],
    ['records that stay away', before('error_dns'), observation(['missing', 'ok']), false],
    ['a certificate that is awaited', before('active'), observation(proved), false],
    [
      'a wrong record of a domain that was never verified',
      before('pending_verification', { verifiedAt: null }),
      observation(['wrong', 'ok']),
      false,
    ],
  ])('%s', (_, domain, seen, beginsToWait) => {
    const { waitingSince } = observedChange(domain, seen, now);
    expect(waitingSince).toBe(beginsToWait ? now.toISOString() : hoursAgo(80));
  });

  test.each([true, false])('a proof that nobody could look up stays %s', (proven) => {
    const blind = observation(['unknown', 'unknown'], { proof: 'unknown' });
    expect(observedChange(before('ssl_active', { proven }), blind, now).proven).toBe(proven);
  });
});
