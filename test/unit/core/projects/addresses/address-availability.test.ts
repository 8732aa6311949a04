import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AccountId, type Instant, ProjectId, Slug } from '../../../../../contract/fields.ts';
import { instant, plusSeconds } from '../../../../../core/instants.ts';
import {
  addressAvailability,
  type AddressHolder,
  formerAddress,
  reservedUntil,
} from '../../../../../core/projects/addresses/address-availability.ts';
import type { FormerAddress } from '../../../../../core/projects/project.ts';
import { aProject } from '../../../../fixtures/projects/a-project.ts';
import { proofSize } from '../../../../fixtures/proof-size.ts';

const day = 86_400;
const start = new Date('2026-03-01T12:00:00.000Z');
const [ann, ben, cem] = [1, 2, 3].map((digit) =>
  AccountId.parse(`00000000-0000-4000-8000-00000000000${digit}`),
);
if (ann === undefined || ben === undefined || cem === undefined) throw new Error('three accounts');
const slug = Slug.parse('harbour');
const temporary = Slug.parse('calm-harbour-x7k2');
const after = (days: number) => plusSeconds(start, days * day);
const left = (changes: Partial<FormerAddress> = {}): FormerAddress => ({
  heldFor: ann,
  heldProject: null,
  heldUntil: instant(after(90)),
  domainId: null,
  handedOverAt: null,
  ...changes,
});
const inUse = { projectId: aProject().id };
const lately = instant(after(-5));

describe('an address', () => {
  test.each<[string, AddressHolder, Parameters<typeof addressAvailability>[1], number, unknown]>([
    ['nobody had', undefined, { slug, accountId: ben }, 0, null],
    ['a project has', inUse, { slug, accountId: ann }, 0, 'taken'],
    ['another account left', left(), { slug, accountId: ben }, 89.999, 'reserved'],
    ['the same account left', left(), { slug, accountId: ann }, 0, null],
    ['the same account left long ago', left(), { slug, accountId: ann }, 300, null],
    ['another account left 90 days ago', left(), { slug, accountId: ben }, 90, instant(after(90))],
    [
      'the same account left, who had it from another one',
      left({ handedOverAt: lately }),
      { slug, accountId: ann },
      1,
      lately,
    ],
    [
      'an operator shut, even for its account',
      left({ heldFor: null, heldProject: inUse.projectId }),
      { slug, accountId: ann, projectId: ProjectId.parse('00000000-0000-4000-8000-000000000009') },
      1,
      'reserved',
    ],
    [
      'an operator shut, for the project that comes back',
      left({ heldFor: null, heldProject: inUse.projectId }),
      { slug, accountId: ann, ...inUse },
      1,
      null,
    ],
    [
      'an operator shut beneath a domain that was added again',
      left({ heldFor: null, heldProject: inUse.projectId, domainId: 'former' }),
      { slug, accountId: ben, domainId: 'next' },
      89,
      'reserved',
    ],
    [
      'an operator shut there 90 days ago',
      left({ heldFor: null, heldProject: inUse.projectId, domainId: 'former' }),
      { slug, accountId: ben, domainId: 'next' },
      90,
      instant(after(90)),
    ],
    ['was given out at random', undefined, { slug: temporary, accountId: ben }, 0, 'reserved'],
    [
      'was given out at random, to another',
      left(),
      { slug: temporary, accountId: ben },
      400,
      'reserved',
    ],
    ['was given out at random, to this one', left(), { slug: temporary, accountId: ann }, 1, null],
    [
      'was given out at random elsewhere and is imported',
      undefined,
      { slug: temporary, accountId: ben, isImport: true },
      0,
      null,
    ],
  ])('that %s', (_, holder, requester, days, expected) => {
    const found = addressAvailability(holder, requester, after(days));
    const shown = found.kind === 'available' ? (found.history?.handedOverAt ?? null) : found.kind;
    expect(shown).toBe(expected);
  });
});

const [at, heldUntil] = [instant(start), reservedUntil(start)];
const history = { left: left({ heldUntil: instant(after(7)) }), handedOverAt: lately };

test.each<[string, Parameters<typeof aProject>[0], Partial<FormerAddress> | undefined]>([
  ['an account’s for the account', { ownerId: ann }, { heldFor: ann, heldUntil }],
  [
    'one from another account with that',
    { ownerId: ann, addressHistory: history },
    { handedOverAt: lately },
  ],
  ['a temporary one for nobody', { ownerId: null }, undefined],
  ['one where nothing was published for nobody', { version: 0 }, undefined],
  [
    'one where nothing was published as it was before',
    { ownerId: ben, version: 0, addressHistory: history },
    history.left,
  ],
  [
    'one that was taken down for the project alone',
    { takedown: { reason: 'abuse', at } },
    { heldFor: null, heldProject: aProject().id },
  ],
])('a project leaves its address: %s', (_, changes, expected) => {
  const found = formerAddress(aProject(changes), { at, heldUntil });
  expect(found?.expired).toBeUndefined();
  if (expected === undefined) expect(found).toBeUndefined();
  else expect(found).toMatchObject(expected);
});

test('the address of an expired project says so, also a temporary one, unless it was taken down', () => {
  const leave = (changes: Parameters<typeof aProject>[0]) =>
    formerAddress(aProject(changes), { at, heldUntil, expired: true });
  expect(leave({ ownerId: ann })).toMatchObject({ heldFor: ann, heldUntil, expired: true });
  const temporaryOne = leave({ ownerId: null });
  expect(temporaryOne).toMatchObject({ heldFor: null, heldProject: null, expired: true });
  for (const accountId of [ann, ben])
    expect(addressAvailability(temporaryOne, { slug: temporary, accountId }, start).kind).toBe(
      'reserved',
    );
  expect(leave({ ownerId: null, version: 0 })).toBeUndefined();
  expect(leave({ ownerId: ann, takedown: { reason: 'abuse', at } })?.expired).toBeUndefined();
});

/** One address in memory, as the adapter writes it: over the row that was read and nothing else. */
class OneAddress {
  row: AddressHolder;
  project: ReturnType<typeof aProject> | undefined;

  take(accountId: AccountId, now: Date, version: number, read = this.row): boolean {
    const found = addressAvailability(read, { slug, accountId }, now);
    if (found.kind !== 'available' || read !== this.row) return false;
    this.project = aProject({ ownerId: accountId, version, addressHistory: found.history });
    this.row = { projectId: this.project.id };
    return true;
  }

  leave(now: Date): AccountId | null {
    const { project } = this;
    if (project === undefined) return null;
    const [leftAt, until] = [instant(now), reservedUntil(now)];
    this.row = formerAddress(project, { at: leftAt, heldUntil: until });
    this.project = undefined;
    return project.ownerId;
  }
}

const step = fc.record({
  days: fc.constantFrom(0, 1, 30, 60, 89, 90, 91, 200),
  account: fc.constantFrom(ann, ben, cem),
  move: fc.constantFrom('take', 'take', 'fail', 'leave', 'race'),
  rival: fc.constantFrom(ann, ben, cem),
});

test('for all sequences of changes, nobody gets an address within 90 days of another account’s site, and a later holder’s record shows the handover', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const address = new OneAddress();
      let now = start;
      let last: { accountId: AccountId; leftAt: Date } | undefined;
      /** The last account but one that published something there, and who came after it when. */
      let handedOverAt: Instant | null = null;
      const check = (accountId: AccountId, isTaken: boolean, wasFree: boolean) => {
        const isOwn = last === undefined || last.accountId === accountId;
        const isOver = last === undefined || now >= plusSeconds(last.leftAt, 90 * day);
        expect(isTaken).toBe(wasFree && (isOwn || isOver));
        if (!isTaken) return;
        if (!isOwn) handedOverAt = instant(now);
        expect(address.project?.addressHistory?.handedOverAt ?? null).toBe(handedOverAt);
      };
      for (const { days, account, move, rival } of steps) {
        now = plusSeconds(now, days * day);
        const wasFree = address.project === undefined;
        if (move === 'leave') {
          const isPublished = (address.project?.version ?? 0) > 0;
          const accountId = address.leave(now);
          if (accountId !== null && isPublished) last = { accountId, leftAt: now };
        } else if (move === 'race') {
          // Both read the same row; the second to write must lose, whatever it read.
          const read = address.row;
          check(account, address.take(account, now, 1, read), wasFree);
          if (address.project !== undefined) expect(address.take(rival, now, 1, read)).toBe(false);
        } else if (move === 'take') {
          check(account, address.take(account, now, 1), wasFree);
        } else if (wasFree && address.take(account, now, 0)) {
          // An upload that fails gives the address back as it was.
          address.leave(now);
        }
      }
    }),
    { numRuns: proofSize({ short: 100, whole: 500 }) },
  );
});
