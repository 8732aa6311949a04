import { describe, expect, test } from '@jest/globals';
import { effectiveTier, normaliseEmail } from '../../../../core/accounts/account.ts';
import { AccountId } from '../../../../contract/fields.ts';
import {
  hashKey,
  isWellFormed,
  newApiKey,
  newDashboardKey,
  newSignInKey,
  withUseNow,
} from '../../../../core/accounts/keys/api-key.ts';
import { hasExpired } from '../../../../core/instants.ts';
import {
  isSameText,
  makeAttemptToken,
  makeDigits,
  makeLongCode,
  readLongCode,
} from '../../../../core/accounts/sign-in/code-secrets.ts';
import {
  isCancelledForSomebody,
  isCurrent,
  isLongCodeCurrent,
  isNeededElsewhere,
  newCode,
  resendWaitSeconds,
} from '../../../../core/accounts/sign-in/sign-in-code.ts';
import { fixedSecret } from '../../../fixtures/fixed-secret.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);

describe('an address', () => {
  test.each([
    [' A.Person@Example.ORG ', 'a.person@example.org'],
    ['me@bücher.example', 'me@xn--bcher-kva.example'],
    ['me@BÜCHER.example', 'me@xn--bcher-kva.example'],
    ['ｍe@example.org', 'me@example.org'],
    ['"a@b"@example.org', '"a@b"@example.org'],
  ])('%s is %s', (written, normalised) => {
    expect(normaliseEmail(written)).toBe(normalised);
  });
});

const name = { email: 'a@example.org', nonce: 'nonce' };

describe('a code', () => {
  test('is six digits that are computed from secret, address and nonce', () => {
    const digits = makeDigits(fixedSecret('secret'), name);
    expect(digits).toMatch(/^\d{6}$/);
    expect(makeDigits(fixedSecret('secret'), name)).toBe(digits);
    const others = [
      makeDigits(fixedSecret('other'), name),
      makeDigits(fixedSecret('secret'), { ...name, email: 'b@example.org' }),
      makeDigits(fixedSecret('secret'), { ...name, nonce: 'other' }),
    ];
    expect(others.filter((other) => other === digits).length).toBeLessThan(2);
  });

  test('keeps its leading zeros', () => {
    const all = Array.from({ length: 200 }, (_, index) =>
      makeDigits(fixedSecret('s'), { email: 'a@b.c', nonce: String(index) }),
    );
    expect(all.every((digits) => digits.length === 6)).toBe(true);
    expect(all.some((digits) => digits.startsWith('0'))).toBe(true);
  });

  test('compares only equal lengths', () => {
    expect(isSameText('123456', '123456')).toBe(true);
    expect(isSameText('123457', '123456')).toBe(false);
    expect(isSameText('1234567', '123456')).toBe(false);
    expect(isSameText('１', '123')).toBe(false);
  });

  test('is valid until its exact expiry, and for a network until its five wrong tries', () => {
    const from = (network: string, count: number) => ({
      network,
      wrongAt: Array<number>(count).fill(0),
    });
    const code = { ...newCode(fixedSecret('secret'), now), requesters: [from('a', 4)] };
    expect(isCurrent(code, later(599.999))).toBe(true);
    expect(isCurrent(code, later(600))).toBe(false);
    expect(isCancelledForSomebody(code)).toBe(false);
    expect(isCancelledForSomebody({ ...code, requesters: [from('a', 5)] })).toBe(true);
    expect(isCancelledForSomebody({ ...code, others: [from('b', 4)] })).toBe(false);
    expect(isCancelledForSomebody({ ...code, others: [from('b', 5)] })).toBe(true);
    expect(isNeededElsewhere(code, 'b')).toBe(true);
    expect(isNeededElsewhere(code, 'a')).toBe(false);
    expect(isNeededElsewhere({ ...code, requesters: [from('a', 5)] }, 'b')).toBe(false);
  });

  test('has a long code for an hour after its latest mail, with any spacing', () => {
    const longCode = makeLongCode(fixedSecret('secret'), name);
    expect(longCode).toMatch(/^([b-df-hjkmnp-z]{4}-){5}[b-df-hjkmnp-z]{4}$/);
    expect(makeLongCode(fixedSecret('secret'), { ...name, nonce: 'other' })).not.toBe(longCode);
    for (const copied of [
      longCode.toUpperCase(),
      `  ${longCode} `,
      longCode.replaceAll('-', ' '),
    ]) {
      expect(readLongCode(copied)).toBe(longCode);
    }
    for (const other of ['', '123456', longCode.slice(1), `${longCode}b`, 'é'.repeat(24)]) {
      expect(readLongCode(other)).toBeUndefined();
    }
    expect(isLongCodeCurrent(newCode(fixedSecret('secret'), now), later(3599.999))).toBe(true);
    expect(isLongCodeCurrent(newCode(fixedSecret('secret'), now), later(3600))).toBe(false);
  });

  test('gives each requesting network its own token', () => {
    const tokens = ['192.0.2.1', '192.0.2.2'].map((one) =>
      makeAttemptToken(fixedSecret('secret'), name, one),
    );
    expect(new Set(tokens).size).toBe(2);
    expect(
      makeAttemptToken(fixedSecret('secret'), { ...name, nonce: 'other' }, '192.0.2.1'),
    ).not.toBe(tokens[0]);
  });

  test.each([
    [0, 60],
    [0.5, 60],
    [59.5, 1],
    [60, 0],
    [100, 0],
  ])('%d seconds after it was sent, may be sent again in %d', (after, wait) => {
    expect(resendWaitSeconds(newCode(fixedSecret('secret'), now), later(after))).toBe(wait);
  });
});

describe('a key', () => {
  test('has a prefix, 43 characters and a checksum, and is unique', () => {
    const keys = Array.from({ length: 100 }, () => newApiKey('sw'));
    for (const key of keys) {
      expect(key).toMatch(/^sw_live_[0-9A-Za-z]{49}$/);
      expect(isWellFormed(key, 'sw')).toBe(true);
      expect(isWellFormed(key, 'other')).toBe(false);
    }
    expect(new Set(keys.map(hashKey)).size).toBe(100);
  });

  test('with any one character changed is refused without a read', () => {
    const key = newApiKey('sw');
    for (let index = 0; index < key.length; index += 1) {
      const changed = key[index] === 'x' ? 'y' : 'x';
      expect(isWellFormed(key.slice(0, index) + changed + key.slice(index + 1), 'sw')).toBe(false);
    }
    for (const other of ['', 'sw_live_', key.slice(1), `${key}0`, `${key} `]) {
      expect(isWellFormed(other, 'sw')).toBe(false);
    }
  });
});

describe('what is stored of a key', () => {
  const accountId = AccountId.parse('0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11');
  const days = (count: number) => later(count * 86_400);

  test('has a hint of eight characters and four random ones, for any prefix', () => {
    for (const prefix of ['sw', 'my_own']) {
      const key = newApiKey(prefix);
      const { hint } = newSignInKey(accountId, key, now);
      expect(hint).toBe(`${key.slice(0, prefix.length + 10)}…`);
      expect(hint).toContain('_live_');
    }
  });

  test('says when it expires: at the exact instant it has', () => {
    const key = newSignInKey(accountId, newApiKey('sw'), now);
    expect(hasExpired(key, new Date(days(90).getTime() - 1))).toBe(false);
    expect(hasExpired(key, days(90))).toBe(true);
  });

  test('records its use after an hour, and lasts ninety days more if it expires at all', () => {
    const signedIn = newSignInKey(accountId, newApiKey('sw'), now);
    expect(withUseNow(signedIn, later(3599))).toBeUndefined();
    expect(withUseNow(signedIn, later(3600))).toMatchObject({
      lastUsedAt: later(3600).toISOString(),
      expiresAt: new Date(later(3600).getTime() + 90 * 86_400_000).toISOString(),
    });
    const lasting = newDashboardKey(accountId, newApiKey('sw'), { name: 'CI' }, now);
    expect(withUseNow(lasting, now)).toEqual({ ...lasting, lastUsedAt: now.toISOString() });
    expect(hasExpired(lasting, days(100_000))).toBe(false);
  });
});

describe('the plan that applies', () => {
  const trialEndsAt = later(10).toISOString();
  test.each([
    ['free in the trial', 'free', trialEndsAt, now, 'pro'],
    ['free a millisecond before its end', 'free', trialEndsAt, later(9.999), 'pro'],
    ['free at its exact end', 'free', trialEndsAt, later(10), 'free'],
    ['free without a trial', 'free', null, now, 'free'],
    ['starter in the trial', 'starter', trialEndsAt, now, 'starter'],
    ['scale', 'scale', null, now, 'scale'],
  ] as const)('of %s', (_, tier, ends, at, expected) => {
    expect(effectiveTier({ tier, trialEndsAt: ends }, at)).toBe(expected);
  });
});
