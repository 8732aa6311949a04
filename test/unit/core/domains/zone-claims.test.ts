import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { AccountId, DomainId } from '../../../../contract/fields.ts';
import {
  decideClaim,
  mayBecomeProven,
  maxNamesOfZone,
  type NameClaim,
  noClaims,
  releasedClaim,
  withClaim,
} from '../../../../core/domains/zone-claims.ts';

const now = new Date('2026-11-22T12:00:00.000Z');
const mine = AccountId.parse(randomUUID());
const theirs = AccountId.parse(randomUUID());
const zone = 'customer.com';

const claim = (accountId: AccountId, proven: boolean): NameClaim => ({
  accountId,
  domainId: DomainId.parse(randomUUID()),
  proven,
  heldUntil: null,
});

function claims(names: Record<string, NameClaim>) {
  return { ...noClaims(zone), revision: 1, names };
}

const released = releasedClaim(theirs, new Date('2026-11-01T00:00:00.000Z'));
const longReleased = releasedClaim(theirs, new Date('2026-10-01T00:00:00.000Z'));

describe('who may claim customer.com', () => {
  test.each([
    ['nobody has it', {}, 'free'],
    ['I have it', { [zone]: claim(mine, true) }, 'own'],
    ['I released it', { [zone]: releasedClaim(mine, now) }, 'free'],
    ['another account proved it', { [zone]: claim(theirs, true) }, 'taken'],
    ['another account only added it', { [zone]: claim(theirs, false) }, 'needs-proof'],
    ['another account released it 21 days ago', { [zone]: released }, 'needs-proof'],
    ['another account released it 52 days ago', { [zone]: longReleased }, 'free'],
    ['another account proved a child', { 'shop.customer.com': claim(theirs, true) }, 'taken'],
    ['another account only added a child', { 'shop.customer.com': claim(theirs, false) }, 'free'],
    ['I proved a child', { 'shop.customer.com': claim(mine, true) }, 'free'],
    ['another account released a child', { 'shop.customer.com': released }, 'free'],
  ] as const)('%s', (_, names, kind) => {
    const decision = decideClaim(claims(names), { name: zone, accountId: mine }, now);
    expect(decision.kind).toBe(kind);
  });

  test.each([
    ['another account proved the parent', claim(theirs, true), 'taken'],
    ['another account only added the parent', claim(theirs, false), 'free'],
    ['I proved the parent', claim(mine, true), 'free'],
  ] as const)('of a child: %s', (_, parent, kind) => {
    const wanted = { name: 'shop.customer.com', accountId: mine };
    expect(decideClaim(claims({ [zone]: parent }), wanted, now).kind).toBe(kind);
  });

  test('a name that only ends alike is no relative', () => {
    const other = { name: 'mycustomer.com', accountId: mine };
    expect(decideClaim(claims({ [zone]: claim(theirs, true) }), other, now).kind).toBe('free');
  });

  test('a zone holds a limited number of names', () => {
    const names = Array.from({ length: maxNamesOfZone }, (__, index) => [
      `n${index}.customer.com`,
      claim(mine, false),
    ]);
    const full = claims(Object.fromEntries(names));
    const wanted = { name: 'more.customer.com', accountId: mine };
    expect(decideClaim(full, wanted, now).kind).toBe('taken');
  });
});

describe('a domain that proves its name', () => {
  const own = claim(mine, false);
  const id = own.domainId ?? DomainId.parse(randomUUID());
  const domain = { id, name: zone, accountId: mine };

  test('counts as proven while it has its name and no rival was first', () => {
    expect(mayBecomeProven(claims({ [zone]: own }), domain)).toBe(true);
    const child = { 'shop.customer.com': claim(theirs, false) };
    expect(mayBecomeProven(claims({ [zone]: own, ...child }), domain)).toBe(true);
  });

  test('does not after the name went to another account, or a rival was first', () => {
    expect(mayBecomeProven(claims({ [zone]: claim(theirs, false) }), domain)).toBe(false);
    expect(mayBecomeProven(claims({}), domain)).toBe(false);
    const child = { 'shop.customer.com': claim(theirs, true) };
    expect(mayBecomeProven(claims({ [zone]: own, ...child }), domain)).toBe(false);
  });
});

test('a change forgets reservations that are over, and moves the revision', () => {
  const before = claims({ 'old.customer.com': longReleased, 'new.customer.com': released });
  const after = withClaim(before, zone, claim(mine, false), now);
  expect(Object.keys(after.names)).toEqual(['new.customer.com', zone]);
  expect(after.revision).toBe(2);
});
