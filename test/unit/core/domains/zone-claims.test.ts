import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { AccountId, DomainId } from '../../../../contract/fields.ts';
import {
  decideClaim,
  mayBecomeProven,
  maxNamesOfZone,
  type NameClaim,
  noClaims,
  withClaim,
  withoutClaim,
  withProof,
} from '../../../../core/domains/zone-claims.ts';
import { instant, plusSeconds } from '../../../../core/instants.ts';

const now = new Date('2026-11-22T12:00:00.000Z');
const mine = AccountId.parse(randomUUID());
const theirs = AccountId.parse(randomUUID());
const zone = 'customer.com';

/** A name that nobody has or is held for, though it is known who had proven it. */
const remembered = {
  accountId: theirs,
  domainId: null,
  proven: false,
  heldUntil: now.toISOString(),
};

const claim = (accountId: AccountId, proven: boolean): NameClaim => ({
  accountId,
  domainId: DomainId.parse(randomUUID()),
  proven,
  wasProven: proven,
  isDelegated: false,
  heldUntil: null,
  former: null,
});

function claims(names: Record<string, NameClaim>) {
  return { ...noClaims(zone), revision: 1, names };
}

/** What is left of a claim that was proven, after its release. */
function released(accountId: AccountId, at: string): NameClaim {
  const { names } = withoutClaim(claims({ [zone]: claim(accountId, true) }), zone, new Date(at));
  const left = names[zone];
  if (left === undefined) throw new Error('a proven name is held');
  return left;
}
const newlyReleased = released(theirs, '2026-11-01T00:00:00.000Z');
const longReleased = released(theirs, '2026-10-01T00:00:00.000Z');

describe('who may claim customer.com', () => {
  test.each([
    ['nobody has it', {}, 'free'],
    ['I have it', { [zone]: claim(mine, true) }, 'own'],
    ['I released it', { [zone]: released(mine, '2026-11-01T00:00:00.000Z') }, 'free'],
    ['another account proved it', { [zone]: claim(theirs, true) }, 'taken'],
    ['another account only added it', { [zone]: claim(theirs, false) }, 'needs-proof'],
    ['another account released it 21 days ago', { [zone]: newlyReleased }, 'needs-proof'],
    ['another account released it 52 days ago', { [zone]: longReleased }, 'free'],
    ['another account proved a child', { 'shop.customer.com': claim(theirs, true) }, 'free'],
    ['another account only added a child', { 'shop.customer.com': claim(theirs, false) }, 'free'],
    ['I proved a child', { 'shop.customer.com': claim(mine, true) }, 'free'],
    ['another account released a child', { 'shop.customer.com': newlyReleased }, 'free'],
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

  test('which is not the registered domain: another account proved a child of it', () => {
    const names = { 'a.shop.customer.com': claim(theirs, true) };
    const wanted = { name: 'shop.customer.com', accountId: mine };
    expect(decideClaim(claims(names), wanted, now).kind).toBe('taken');
  });

  test('a name that only ends alike is no relative', () => {
    const other = { name: 'mycustomer.com', accountId: mine };
    expect(decideClaim(claims({ [zone]: claim(theirs, true) }), other, now).kind).toBe('free');
  });

  test('a zone full of names that others proved has no room', () => {
    const full = claims(many(maxNamesOfZone, () => claim(theirs, true)));
    const wanted = { name: 'more.customer.com', accountId: mine };
    expect(decideClaim(full, wanted, now).kind).toBe('full');
  });

  test('a zone full of names that nobody proved has room for a proof only', () => {
    const full = claims(many(maxNamesOfZone, () => claim(theirs, false)));
    for (const name of [zone, 'more.customer.com'])
      expect(decideClaim(full, { name, accountId: mine }, now)).toEqual({
        kind: 'needs-proof',
        isZoneFull: true,
      });
  });

  test('an account has at most 25 names of a zone without proof', () => {
    const wanted = { name: 'more.customer.com', accountId: mine };
    const names = many(24, () => claim(mine, false));
    const others = { 'a.customer.com': claim(mine, true), 'b.customer.com': claim(theirs, false) };
    expect(decideClaim(claims({ ...names, ...others }), wanted, now).kind).toBe('free');
    const one = { 'c.customer.com': claim(mine, false) };
    expect(decideClaim(claims({ ...names, ...one }), wanted, now).kind).toBe('too-many-unproven');
  });
});

/** So many names beneath the zone. */
function many(length: number, each: () => NameClaim): Record<string, NameClaim> {
  const names = Array.from({ length }, (_, index) => [`n${index}.customer.com`, each()] as const);
  return Object.fromEntries(names);
}

describe('whoever proves a name', () => {
  const proven = claim(mine, true);

  test('evicts what others claim beneath it without proof, and nothing else', () => {
    const before = claims({
      'a.shop.customer.com': claim(theirs, false),
      'b.shop.customer.com': { ...claim(theirs, false), wasProven: true },
      'c.shop.customer.com': newlyReleased,
      'd.shop.customer.com': claim(mine, false),
      'e.shop.customer.com': claim(theirs, true),
      'beside.customer.com': claim(theirs, false),
    });
    const after = withProof(before, 'shop.customer.com', proven, now);
    expect(after.names['b.shop.customer.com']).toMatchObject(remembered);
    expect(Object.keys(after.names).sort()).toEqual([
      'b.shop.customer.com',
      'beside.customer.com',
      'c.shop.customer.com',
      'd.shop.customer.com',
      'e.shop.customer.com',
      'shop.customer.com',
    ]);
  });

  test('evicts everything of a zone that is full of inventions', () => {
    const before = claims(many(maxNamesOfZone, () => claim(theirs, false)));
    expect(withProof(before, zone, proven, now).names).toEqual({ [zone]: proven });
  });

  test('beneath a full zone takes the room of one name, of who claims most', () => {
    const few = { 'honest.customer.com': claim(AccountId.parse(randomUUID()), false) };
    const before = claims({ ...few, ...many(maxNamesOfZone - 1, () => claim(theirs, false)) });
    const { names } = withProof(before, 'shop.customer.com', proven, now);
    expect(Object.keys(names)).toHaveLength(maxNamesOfZone);
    expect(names).toMatchObject({ ...few, 'shop.customer.com': proven });
  });
});

test('a name that was never proven is not held after its release', () => {
  const before = claims({ [zone]: claim(theirs, false) });
  expect(withoutClaim(before, zone, now).names).toEqual({});
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
    const part = { ...domain, name: 'shop.customer.com' };
    const child = { 'a.shop.customer.com': claim(theirs, true) };
    expect(mayBecomeProven(claims({ [part.name]: own, ...child }), part)).toBe(false);
  });

  test('wins over everything beneath it, if it is the registered domain', () => {
    const child = { 'shop.customer.com': claim(theirs, true) };
    const before = claims({ [zone]: own, ...child });
    expect(mayBecomeProven(before, domain)).toBe(true);
    const after = withProof(before, zone, { ...own, proven: true, wasProven: true }, now);
    expect(after.names).toMatchObject({
      [zone]: { proven: true },
      'shop.customer.com': remembered,
    });
  });

  test('leaves alone what the registered domain has delegated and was proven before', () => {
    const delegated = { ...claim(theirs, true), isDelegated: true };
    const name = 'shop.customer.com';
    const theirDomain = { id: delegated.domainId ?? id, name, accountId: theirs };
    const before = claims({ [zone]: own, [name]: delegated });
    const after = withProof(before, zone, { ...own, proven: true, wasProven: true }, now);
    expect(Object.keys(after.names)).toEqual([zone, name]);
    expect(mayBecomeProven(after, theirDomain)).toBe(true);
    // Once its proof was gone, it comes after the registered domain like any other name.
    const unproven = { ...after.names, [name]: { ...delegated, proven: false } };
    expect(mayBecomeProven(claims(unproven), theirDomain)).toBe(false);
  });
});

test('a change forgets who had proven a name two years after its hold, and moves the revision', () => {
  const forgotten = { ...longReleased, heldUntil: instant(plusSeconds(now, -731 * 86_400)) };
  const before = claims({
    'forgotten.customer.com': forgotten,
    'old.customer.com': longReleased,
    'new.customer.com': newlyReleased,
  });
  const after = withClaim(before, zone, claim(mine, false), now);
  expect(Object.keys(after.names).sort()).toEqual(
    ['new.customer.com', 'old.customer.com', zone].sort(),
  );
  expect(after.revision).toBe(2);
  // Names that are over hold no place of one that somebody wants.
  const crowd = claims(many(maxNamesOfZone, () => longReleased));
  expect(decideClaim(crowd, { name: zone, accountId: mine }, now)).toEqual({ kind: 'free' });
  const crowded = withClaim(crowd, zone, claim(mine, false), now);
  expect(Object.keys(crowded.names).length).toBeLessThanOrEqual(maxNamesOfZone);
});
