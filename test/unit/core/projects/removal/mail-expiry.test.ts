import { expect, test } from '@jest/globals';
import type { Account } from '../../../../../core/accounts/account.ts';
import type { Project } from '../../../../../core/projects/project.ts';
import { mailExpiry } from '../../../../../core/projects/removal/mail-expiry.ts';
import { countersAfter } from '../../../../fixtures/memory-counters.ts';
import { fixedSecret } from '../../../../fixtures/fixed-secret.ts';
import { aCaller, aProject } from '../../../../fixtures/projects/a-project.ts';
import { now } from '../../../../fixtures/visits/a-site.ts';

const at = now.toISOString();
const expiresAt = new Date(now.getTime() + 86_400_000).toISOString();

interface World {
  account?: Partial<Account>;
  mailsBefore?: number;
  fails?: boolean;
}

/** The mails about a project that expires in a day. */
async function mailed(
  project: Partial<Project> = {},
  { account = {}, mailsBefore = 0, fails = false }: World = {},
) {
  const [mails, failures]: [unknown[], unknown[]] = [[], []];
  const deps = {
    accounts: { get: async () => aCaller(account).account },
    counters: countersAfter(`notice-mails#${aProject().ownerId}`, mailsBefore, now),
    expiryMailer: {
      async sendExpiry(email: string, mail: object) {
        if (fails) throw new Error('SES');
        mails.push({ email, ...mail });
      },
    },
    accessSecret: async () => fixedSecret('a secret of a test'),
    onFailure: (item: unknown) => void failures.push(item),
  };
  await mailExpiry(deps, aProject({ expiresAt, ...project }), now);
  return { mails, failures };
}

test('the owner of a project gets a mail with its title, its end and a link that stops such mails', async () => {
  const { id: projectId, title, ownerId } = aProject();
  const { email } = aCaller().account;
  const stopToken = expect.stringMatching(new RegExp(`^expiry[.]-[.]${ownerId}[.]`));
  const mail = { email, title, projectId, expiresAt, stopToken };
  expect((await mailed()).mails).toEqual([mail]);
});

test.each<[string, Partial<Project>, World]>([
  ['the project has no end', { expiresAt: null }, {}],
  ['it ended meanwhile', { expiresAt: at }, {}],
  ['nobody owns it', { ownerId: null }, {}],
  ['it is archived', { archivedAt: at }, {}],
  ['the account is suspended', {}, { account: { suspendedAt: at } }],
  ['the owner wants no such mails', {}, { account: { mailsOff: new Set(['expiry' as const]) } }],
  ['the account had fifty mails today', {}, { mailsBefore: 50 }],
])('nobody gets a mail where %s', async (_, project, world) => {
  expect((await mailed(project, world)).mails).toEqual([]);
});

test('a mail that fails is logged, and does not stop the sweep', async () => {
  const { mails, failures } = await mailed({}, { fails: true });
  expect(mails).toEqual([]);
  expect(failures).toEqual([{ kind: 'expiry-mail', projectId: aProject().id }]);
});
