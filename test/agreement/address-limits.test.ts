import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

/** Where an address is no key of a limit: who asked, whose Idempotency-Key, and pseudonyms of visitors. */
const identities = [
  'core/accounts/sign-in/prove-address.ts',
  'core/accounts/sign-in/request-code.ts',
  'core/analytics/hit.ts',
  'lambdas/http/authorize.ts',
];

/** Limits of what one customer has at most, an IPv4 address or an IPv6 /48 (decisions 0033 and 0035). */
const ofCustomers = [
  'core/accounts/sign-in/wrong-code-limits.ts',
  'core/visit/access/password-tries.ts',
];

const sources = ['core', 'lambdas', 'adapters', 'bin']
  .flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: 'utf8' }).map((path) => `${room}/${path}`),
  )
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

test('every limit by address counts the network too: no other file makes a key of an address', () => {
  const users = sources
    .filter(({ text }) => /from '.*\/caller-key\.ts'/.test(text))
    .map(({ path }) => path);
  expect(users.toSorted()).toEqual(
    [...identities, ...ofCustomers, 'core/limits/address-limits.ts'].toSorted(),
  );
});

test('no key of a counter contains an address as it was sent', () => {
  const keys = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/key: `[^`]*\$\{(?:\w+\.)*address\}[^`]*`/g)].map(
      ([key]) => `${path} ${key}`,
    ),
  );
  expect(keys).toEqual([]);
});
