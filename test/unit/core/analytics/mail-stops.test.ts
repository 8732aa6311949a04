import { expect, test } from '@jest/globals';
import { AccountId, type MailKind, ProjectId } from '../../../../contract/fields.ts';
import {
  findMails,
  type MailStop,
  type MailStopDeps,
  mailStopToken,
  stopMails,
} from '../../../../core/analytics/mail-stops.ts';
import type { Project } from '../../../../core/projects/project.ts';
import { fixedSecret } from '../../../fixtures/fixed-secret.ts';
import { aCaller, aProject, aVersion } from '../../../fixtures/projects/a-project.ts';
import { aShareLink, MemoryShareLinks } from '../../../fixtures/visits/share-links.ts';
import { now } from '../../../fixtures/visits/a-site.ts';

const accessSecret = fixedSecret('a secret of a test');
const owner = aProject().ownerId;
if (owner === null) throw new Error('no owner');
const { email } = aCaller().account;
const ofProject: MailStop = { projectId: aProject().id, linkId: undefined, ownerId: owner };
const token = mailStopToken(accessSecret, ofProject, email);

async function world(fields: Partial<Project> = {}) {
  let project = aProject({ notify: 'daily', ...fields });
  const shareLinks = new MemoryShareLinks();
  const { link } = aShareLink({ projectId: project.id, notify: 'first' });
  await shareLinks.create(link, 10);
  let changes = 0;
  const mailsOff = new Set<MailKind>(['opens']);
  const deps: MailStopDeps = {
    projects: {
      get: async (id) => (id === project.id ? project : undefined),
      getVersion: async () => aVersion(),
    },
    owned: {
      async change({ after }) {
        changes += 1;
        project = after;
        return 'changed';
      },
    },
    edge: { purge: async () => undefined, settle: async () => undefined } as never,
    shareLinks,
    accounts: {
      get: async (id) => (id === owner ? aCaller({ mailsOff }).account : undefined),
      async switchMails(_, to, kinds) {
        for (const kind of kinds) mailsOff[to === 'off' ? 'add' : 'delete'](kind);
      },
    },
    accessSecret,
    onFailure: () => undefined,
    now: () => now,
  };
  const ofLink = mailStopToken(accessSecret, { ...ofProject, linkId: link.id }, email);
  const notifyOfLink = async () => (await shareLinks.find(project.id, link.id))?.notify;
  const off = () => [...mailsOff];
  return { deps, off, ofLink, link, notifyOfLink, project: () => project, changes: () => changes };
}

test('opening a link changes nothing, and says what it would stop', async () => {
  const { deps, ofLink, link, changes, notifyOfLink } = await world();
  const { title } = aProject();
  expect(await findMails(deps, token)).toMatchObject({ title, linkName: null });
  expect(await findMails(deps, ofLink)).toMatchObject({ title, linkName: link.name });
  expect([changes(), await notifyOfLink()]).toEqual([0, 'first']);
});

test('it stops the mails of the project alone, or those of its share link alone, and may be repeated', async () => {
  const one = await world();
  expect(await stopMails(one.deps, token)).toMatchObject({ linkName: null });
  expect(await stopMails(one.deps, token)).toMatchObject({ linkName: null });
  expect([one.project().notify, await one.notifyOfLink(), one.changes()]).toEqual([
    undefined,
    'first',
    1,
  ]);
  const other = await world();
  expect(await stopMails(other.deps, other.ofLink)).toMatchObject({ linkName: 'Anna' });
  expect([other.project().notify, await other.notifyOfLink()]).toEqual(['daily', null]);
});

const elsewhere = ProjectId.parse('6f0c9a11-0b7e-4c1a-8f60-4c399d0e2f1a');
const somebody = AccountId.parse('0c9a1160-0b7e-4c1a-8f60-4c399d0e2f1a');
test.each<[string, string, Partial<Project>]>([
  ['another secret', mailStopToken(fixedSecret('another'), ofProject, email), {}],
  [
    'the address that the account had before',
    mailStopToken(accessSecret, ofProject, `old-${email}`),
    {},
  ],
  ['a changed signature', token.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A')), {}],
  ['another project in it', token.replace(ofProject.projectId, elsewhere), {}],
  ['a share link in it', token.replace('.-.', '.AAAAAAAAAAAAAAAA.'), {}],
  [
    'a link that is gone',
    mailStopToken(accessSecret, { ...ofProject, linkId: 'AAAAAAAAAAAAAAAA' as never }, email),
    {},
  ],
  ['nothing', '', {}],
  ['a very long text', 'x'.repeat(5000), {}],
  ['another owner by now', token, { ownerId: somebody }],
  ['a project that is being deleted', token, { removingAt: '2026-03-01T11:00:00.000Z' }],
])('with %s it stops nothing', async (_, sent, fields) => {
  const { deps, changes, notifyOfLink } = await world(fields);
  expect(await findMails(deps, sent)).toBeUndefined();
  expect(await stopMails(deps, sent)).toBeUndefined();
  expect([changes(), await notifyOfLink()]).toEqual([0, 'first']);
});

test('it stops all mails of a kind, and those that were off stay off', async () => {
  const { deps, off, changes } = await world();
  const sent = mailStopToken(accessSecret, { kind: 'trial', ownerId: owner }, email);
  expect(await findMails(deps, sent)).toMatchObject({ kind: 'trial' });
  expect(off()).toEqual(['opens']);
  expect(await stopMails(deps, sent)).toMatchObject({ kind: 'trial' });
  expect([off(), changes()]).toEqual([['opens', 'trial'], 0]);
});

test.each<[string, string]>([
  ['another secret', mailStopToken(fixedSecret('x'), { kind: 'trial', ownerId: owner }, email)],
  [
    'an account that is gone',
    mailStopToken(accessSecret, { kind: 'trial', ownerId: somebody }, email),
  ],
  [
    'the address that the account had before',
    mailStopToken(accessSecret, { kind: 'trial', ownerId: owner }, `old-${email}`),
  ],
  [
    'another kind in it',
    mailStopToken(accessSecret, { kind: 'trial', ownerId: owner }, email).replace(
      'trial',
      'expiry',
    ),
  ],
  [
    'no kind of mails in it',
    mailStopToken(accessSecret, { kind: 'codes' as MailKind, ownerId: owner }, email),
  ],
])('with %s it stops no kind of mails', async (_, sent) => {
  const { deps, off } = await world();
  expect([await findMails(deps, sent), await stopMails(deps, sent)]).toEqual([
    undefined,
    undefined,
  ]);
  expect(off()).toEqual(['opens']);
});
