import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { AccountId } from '../../../../../contract/fields.ts';
import {
  newDashboardKey,
  type ListedKey,
  newApiKey,
  newSignInKey,
} from '../../../../../core/accounts/keys/api-key.ts';
import { listKeys } from '../../../../../core/accounts/keys/manage-keys.ts';

const accountId = AccountId.parse(randomUUID());
const day = (count: number) => new Date(Date.UTC(2026, 2, 1 + count));

/** The ids that an account with these keys is shown on a day. */
async function shown(keys: ListedKey[], now: Date): Promise<string[]> {
  const unused = async () => false;
  const deps = {
    keys: {
      find: async () => undefined,
      put: async () => undefined,
      putWithin: unused,
      noteUse: unused,
      list: async () => keys,
      remove: unused,
    },
    now: () => now,
  };
  const caller = { account: { id: accountId } } as Parameters<typeof listKeys>[1];
  return (await listKeys(deps, caller)).keys.map(({ id }) => id);
}

test('keys are listed newest first until they expire, even if their rows still exist', async () => {
  const first = newSignInKey(accountId, newApiKey('sw'), day(0));
  const second = newDashboardKey(accountId, newApiKey('sw'), { name: 'CI' }, day(1));
  const third = newSignInKey(accountId, newApiKey('sw'), day(2));
  const keys = [second, first, third];
  const ids = [third, second, first].map(({ id }) => id);
  expect(await shown(keys, new Date(day(90).getTime() - 1))).toEqual(ids);
  expect(await shown(keys, day(90))).toEqual(ids.slice(0, 2));
  expect(await shown(keys, day(92))).toEqual([second.id]);
});
