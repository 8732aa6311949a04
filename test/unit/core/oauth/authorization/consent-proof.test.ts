import { describe, expect, test } from '@jest/globals';
import {
  consentProof,
  isConsentProof,
} from '../../../../../core/oauth/authorization/consent-proof.ts';
import { fixedSecret } from '../../../../fixtures/fixed-secret.ts';

const secret = fixedSecret('a-secret-of-the-deployment');
const now = new Date('2030-01-02T03:04:05.000Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const shown = {
  sessionHash: 'a'.repeat(64),
  query: new URLSearchParams([
    ['client_id', 'one'],
    ['state', 'a b&c=d'],
    ['resource', 'x'],
    ['resource', 'y'],
  ]),
};
const proof = consentProof(secret, shown, now);
const with_ = (query: [string, string][]) => ({ ...shown, query: new URLSearchParams(query) });

test('a consent form is valid for its session and its request, for an hour', () => {
  expect(isConsentProof(secret, proof, shown, now)).toBe(true);
  expect(isConsentProof(secret, proof, shown, later(3599))).toBe(true);
  expect(isConsentProof(secret, proof, shown, later(3600))).toBe(false);
});

test('the order of the parameters does not matter', () => {
  const query = new URLSearchParams([...shown.query].toReversed());
  expect(isConsentProof(secret, proof, { ...shown, query }, now)).toBe(true);
});

describe('a form is refused', () => {
  test.each([
    ['another session', { ...shown, sessionHash: 'b'.repeat(64) }],
    ['another client', with_([...shown.query].map(([n, v]) => [n, v === 'one' ? 'two' : v]))],
    ['a parameter more', with_([...shown.query, ['scope', 'x']])],
    ['a parameter less', with_([...shown.query].slice(1))],
    ['parameters that read the same in one line', with_([['client_id', 'one\nstate']])],
    ['no parameters', with_([])],
  ])('with %s', (_, other) => {
    expect(isConsentProof(secret, proof, other, now)).toBe(false);
  });

  test.each([
    ['none', ''],
    ['words', 'allow'],
    ['a later end', proof.replace(/^\d+/, (at) => String(Number(at) + 3600))],
    ['another signature', `${proof.slice(0, 11)}${'A'.repeat(43)}`],
    ['one letter more', `${proof}A`],
    ['another secret', consentProof(fixedSecret('another-secret-of-somebody'), shown, now)],
  ])('with a proof of %s', (_, other) => {
    expect(isConsentProof(secret, other, shown, now)).toBe(false);
  });
});
