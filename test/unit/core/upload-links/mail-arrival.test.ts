import { expect, test } from '@jest/globals';
import type { Account } from '../../../../core/accounts/account.ts';
import { mailArrival } from '../../../../core/upload-links/mail-arrival.ts';
import { addresses } from '../../../../core/projects/addresses/addresses.ts';
import { aCaller, aProject, aVersion } from '../../../fixtures/projects/a-project.ts';
import { now } from '../../../fixtures/visits/a-site.ts';

const at = now.toISOString();

/** The mails about files that arrived by a link. */
async function mailed(account: Partial<Account> = {}, mailsBefore = 0) {
  const mails: string[] = [];
  const ended: string[] = [];
  const publishedBy = { kind: 'link', id: 'link', name: null } as const;
  const deps = {
    projects: {
      get: async () => aProject(),
      listVersions: async () => [aVersion({ publishedBy })],
    },
    accounts: { get: async () => aCaller(account).account },
    addresses: addresses('https://app.test', 'sites.test'),
    notices: {
      note: async () => undefined,
      lease: async () => at,
      end: async () => void ended.push(at),
    },
    counters: {
      count: async (_: string, __: number, ___: Date, events = 1) => mailsBefore + events,
    },
    arrivalMailer: { sendArrival: async (email: string) => void mails.push(email) },
  };
  await mailArrival(deps, { projectId: aProject().id, linkId: 'link' }, now);
  expect(ended).toHaveLength(1);
  return mails;
}

test('the owner gets a mail', async () => {
  expect(await mailed()).toEqual([aCaller().account.email]);
});

test.each<[string, Partial<Account>, number]>([
  ['who wants none', { mailsOff: new Set(['uploads']) }, 0],
  ['whose account is suspended', { suspendedAt: at }, 0],
  ['who had 25 such mails today', {}, 25],
])('an owner %s gets none', async (_, account, mailsBefore) => {
  expect(await mailed(account, mailsBefore)).toEqual([]);
});
