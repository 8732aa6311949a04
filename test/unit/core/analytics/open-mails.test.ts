import { describe, expect, test } from '@jest/globals';
import {
  mailDueAt,
  mailOpens,
  type MailOpensDeps,
  noteOpens,
  wantedMail,
} from '../../../../core/analytics/open-mails.ts';
import type { ProjectId } from '../../../../contract/fields.ts';
import { toRecordedHit } from '../../../../core/analytics/recorded-hit.ts';
import type { ShareLink } from '../../../../core/share-links/share-link.ts';
import { aShareLink } from '../../../fixtures/visits/share-links.ts';
import { aCaller, aProject, aVersion } from '../../../fixtures/projects/a-project.ts';
import { fixedSecret } from '../../../fixtures/fixed-secret.ts';
import { countersAfter } from '../../../fixtures/memory-counters.ts';
import { aHit } from '../../../fixtures/visits/hits.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const at = '2026-03-01T11:59:00.000Z';

test.each([
  ['first', '2026-03-01T06:59:59.999Z', '2026-03-01T06:59:59.999Z'],
  ['daily', '2026-03-01T06:59:59.999Z', '2026-03-01T07:00:00.000Z'],
  ['daily', '2026-03-01T07:00:00.000Z', '2026-03-02T07:00:00.000Z'],
  ['daily', '2026-02-28T23:30:00.000Z', '2026-03-01T07:00:00.000Z'],
] as const)('the mail of kind %s about an open at %s is due at %s', (kind, opened, due) => {
  expect(mailDueAt(kind, new Date(opened))).toBe(due);
});

test.each([
  [{}, undefined],
  [{ notify: 'first' }, 'first'],
  [{ notify: 'first', firstOpenMailedAt: at }, undefined],
  [{ notify: 'daily', firstOpenMailedAt: at }, 'daily'],
] as const)('a project with %j wants %s', (fields, wanted) => {
  expect(wantedMail(aProject(fields as object))).toBe(wanted);
});

describe('noted', () => {
  const noted = async (fields: object, ...hits: ReturnType<typeof aHit>[]) => {
    const notes: unknown[] = [];
    const notices = { note: async (key: object, open: object) => void notes.push([key, open]) };
    const shareLinks = { find: async () => aLink({ notify: 'daily' }) };
    const linkOpens = { removeLink: async () => undefined };
    await noteOpens({ notices, shareLinks, linkOpens, now: () => now }, aProject(fields), hits);
    return notes;
  };
  const open = (changes: object = {}) => aHit({ kind: 'open', at, ...changes } as object);

  test('are opens by people, the latest of them', async () => {
    const later = open({ id: 'later', at: '2026-03-01T11:59:30.000Z' });
    expect(await noted({ notify: 'first' }, later, open())).toEqual([
      [{ projectId: aProject().id }, { at: later.at, dueAt: now.toISOString() }],
    ]);
  });

  test('are those by a link whose owner wants mails about it, apart', async () => {
    const { id, name } = aLink({});
    const link = { id, name };
    expect(
      await noted({}, open({ link }), open({ id: 'other', at: '2026-03-01T11:59:30.000Z' })),
    ).toEqual([
      [
        { projectId: aProject().id, link: { kind: 'share', id } },
        { at, dueAt: '2026-03-02T07:00:00.000Z' },
      ],
    ]);
  });

  test.each([
    ['of a project without mails', {}, open()],
    ['after the first was mailed', { notify: 'first', firstOpenMailedAt: at }, open()],
    ['of the owner', { notify: 'daily' }, open({ isOwner: true })],
    ['loaded in advance', { notify: 'daily' }, open({ prefetch: true })],
    ['of a bot', { notify: 'daily' }, open({ userAgent: 'Googlebot/2.1' })],
    ['visits that no browser confirmed', { notify: 'daily' }, open({ kind: 'visit' })],
  ])('are none %s', async (_, fields, hit) => {
    expect(await noted(fields, hit)).toEqual([]);
  });
});

const keyOf = (projectId: ProjectId, link: ShareLink | undefined) => ({
  projectId,
  link: link && { kind: 'share' as const, id: link.id },
});
const aLink = (changes: Partial<ShareLink>) => aShareLink(changes).link;
const openByLink = aHit({ kind: 'open', link: { id: aLink({}).id, name: 'Anna' } });
const byLink = toRecordedHit(openByLink)?.record ?? fail();
function fail(): never {
  throw new Error('an open by a link is recorded');
}

describe('a mail', () => {
  const world = (
    fields: object,
    more: {
      mails?: number;
      state?: object;
      fails?: boolean;
      opens?: number;
      link?: ShareLink;
    } = {},
  ) => {
    const log: string[] = [];
    let project = aProject(fields);
    let { link } = more;
    const { account } = aCaller();
    let reads = 0;
    const deps: MailOpensDeps = {
      projects: { get: async () => project, getVersion: async () => aVersion() },
      owned: {
        async change({ after }) {
          project = after;
          log.push('marked');
          return 'changed';
        },
      },
      edge: { purge: async () => undefined, purgeAfterDelay: async () => undefined },
      accounts: { get: async () => ({ ...account, ...more.state }) },
      shareLinks: {
        find: async () => link,
        async update(_project, _id, changes) {
          if (link !== undefined) link = { ...link, ...changes };
          log.push('link marked');
          return true;
        },
      },
      notices: {
        note: async () => undefined,
        lease: async () => at,
        end: async (_id, lastAt) => void log.push(`ended ${lastAt}`),
      },
      openHits: {
        summary: async () => {
          reads += 1;
          return {
            totals: { visits: 3, opens: 2, ownerOpens: 0 },
            lastOpenedAt: at,
            countries: {},
            minutes: [{ at: new Date(at), visits: 3, opens: more.opens ?? 2 }],
            latestOpens: [],
          };
        },
        newest: async () => ({
          hits: [byLink, { ...byLink, link: { id: 'other', name: 'Other' } }],
          readFrom: undefined,
        }),
      },
      counters: countersAfter(`notice-mails#${project.ownerId}`, more.mails ?? 0, now),
      openMailer: {
        async sendOpens(email, { kind, opens, linkName }) {
          if (more.fails === true) throw new Error('no mail');
          log.push(`${kind} ${opens} to ${email}${linkName === null ? '' : ` by ${linkName}`}`);
        },
      },
      accessSecret: fixedSecret('a secret'),
      onFailure: () => undefined,
      now: () => now,
    };
    return {
      log,
      reads: () => reads,
      run: () => mailOpens(deps, keyOf(project.id, more.link), now),
      email: account.email,
    };
  };

  test('of the first open is sent, then the project is marked, then the notice ends', async () => {
    const { log, run, email } = world({ notify: 'first' });
    expect(await run()).toBe(true);
    expect(log).toEqual([`first 2 to ${email}`, 'marked', `ended ${at}`]);
    await run();
    expect(log.slice(3)).toEqual([`ended ${at}`]);
  });

  test('of a day is sent and leaves the project as it is', async () => {
    const { log, run, email } = world({ notify: 'daily' });
    await run();
    expect(log).toEqual([`daily 2 to ${email}`, `ended ${at}`]);
  });

  test('about a link is sent for its opens alone, and marks the link', async () => {
    const link = aLink({ id: byLink.link?.id as ShareLink['id'], notify: 'first' });
    const { log, run, email } = world({}, { link });
    await run();
    await run();
    expect(log).toEqual([
      `first 1 to ${email} by ${link.name}`,
      'link marked',
      `ended ${at}`,
      `ended ${at}`,
    ]);
  });

  test('that could not be sent keeps its notice and marks nothing', async () => {
    const { log, run } = world({ notify: 'first' }, { fails: true });
    await expect(run()).rejects.toThrow('no mail');
    expect(log).toEqual([]);
  });

  test('that an account gets no more of today causes no reading of opens', async () => {
    const last = world({ notify: 'daily' }, { mails: 49 });
    await last.run();
    expect([last.reads(), last.log]).toEqual([1, [`daily 2 to ${last.email}`, `ended ${at}`]]);
    const excess = world({ notify: 'daily' }, { mails: 50 });
    await excess.run();
    expect([excess.reads(), excess.log]).toEqual([0, [`ended ${at}`]]);
  });

  test.each<[string, object, object]>([
    ['for a project that wants none any more', {}, {}],
    ['for a project without an owner', { notify: 'first', ownerId: null }, {}],
    ['for a project that is being deleted', { notify: 'first', removingAt: at }, {}],
    ['to a suspended account', { notify: 'daily' }, { state: { suspendedAt: at } }],
    [
      'to somebody who wants none',
      { notify: 'daily' },
      { state: { mailsOff: new Set(['opens']) } },
    ],
    ['about a day without opens', { notify: 'daily' }, { opens: 0 }],
    ['after fifty of an account in a day', { notify: 'first' }, { mails: 50 }],
  ])('is not sent %s, and the notice ends', async (_, fields, more) => {
    const { log, run } = world(fields, more);
    await run();
    expect(log).toEqual([`ended ${at}`]);
  });
});
