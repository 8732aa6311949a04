import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { instant } from '../../../../../core/instants.ts';
import {
  judgeLinkCookie,
  linkCookieSeconds,
  linkStampOf,
  type ShareLink,
} from '../../../../../core/share-links/share-link.ts';
import { accessToken, readAccessToken } from '../../../../../core/visit/access/access-token.ts';
import { decideOpening, openShareLink } from '../../../../../core/visit/access/open-share-link.ts';
import type { Viewer } from '../../../../../core/visit/access/viewer.ts';
import { aSite, noRoots, noVisitors, now } from '../../../../fixtures/visits/a-site.ts';
import { memoryBudgets } from '../../../../fixtures/visits/memory-tries.ts';
import { aShareLink, MemoryShareLinks } from '../../../../fixtures/visits/share-links.ts';
import { fixedSecret } from '../../../../fixtures/fixed-secret.ts';
import { proofSize } from '../../../../fixtures/proof-size.ts';
import { cheaplyHashed } from './unlock-site.test.ts';

const accessSecret = fixedSecret('a secret of a test');

const once = { maxOpens: 1 };
const used = { maxOpens: 1, usedOpens: 1 };
const locked = { passwordHash: 'scrypt$2$8$1$salt$hash' };
const person = { isPerson: true, isPressed: false };
const pressed = { isPerson: true, isPressed: true };
const program = { isPerson: false, isPressed: false };
const stranger: Viewer = { role: 'stranger' };
const { link: other } = aShareLink();

describe('the next step', () => {
  type Request = Parameters<typeof decideOpening>[1];
  test.each<
    [string, Partial<ShareLink>, Omit<Request, 'viewer'>, Viewer | 'inside' | 'stale', string]
  >([
    ['a person', {}, person, stranger, 'open'],
    ['a program', {}, program, stranger, 'ask'],
    ['a program that presses', {}, { isPerson: false, isPressed: true }, stranger, 'ask'],
    ['a person, with a limit', once, person, stranger, 'ask'],
    ['a person who presses, with a limit', once, pressed, stranger, 'open'],
    ['a person who presses, when it is used up', used, pressed, stranger, 'used-up'],
    ['a person, after its end', { expiresAt: instant(now) }, person, stranger, 'expired'],
    ['a program, when it is used up', used, program, stranger, 'used-up'],
    ['a person, with a password', locked, person, stranger, 'ask'],
    ['one who presses without the password', locked, pressed, stranger, 'ask'],
    [
      'one who enters a password',
      locked,
      { ...pressed, password: 'x' },
      stranger,
      'check-password',
    ],
    ['a program with the password', locked, { ...program, password: 'x' }, stranger, 'ask'],
    ['one who has it open', used, person, 'inside', 'inside'],
    ['one who has it open, by a program', used, program, 'inside', 'inside'],
    ['one who comes back', once, person, 'stale', 'open'],
    ['one who comes back, with a password', { ...once, ...locked }, person, 'stale', 'open'],
    ['one who comes back when it is used up', used, person, 'stale', 'used-up'],
    ['a prefetch of one who comes back', once, program, 'stale', 'ask'],
    ['one who has another link open', once, person, { role: 'link', link: other }, 'ask'],
    ['a guest with the password of the site', once, person, { role: 'guest' }, 'ask'],
    ['the owner', used, person, { role: 'owner' }, 'inside'],
    ['the owner, after its end', { expiresAt: instant(now) }, person, { role: 'owner' }, 'inside'],
  ])('%s', (_, changes, request, who, step) => {
    const { link } = aShareLink(changes);
    const own: Viewer = { role: 'link', link };
    const viewer =
      who === 'inside' ? own : who === 'stale' ? { ...own, isStale: true as const } : who;
    expect(decideOpening(link, { ...request, viewer }, now)).toBe(step);
  });
});

/** A private site with one link, and everybody who opens it. */
async function aShare(changes: Partial<ShareLink> = {}, site = aSite({ access: 'private' })) {
  const shareLinks = new MemoryShareLinks();
  const { token, link } = aShareLink(changes);
  await shareLinks.create(link, 10);
  const open = (more: Partial<Parameters<typeof openShareLink>[2]> = {}) =>
    openShareLink(
      {
        shareLinks,
        visitors: noVisitors,
        accessSecret,
        roots: noRoots,
        sites: { get: async () => site },
        budgets: memoryBudgets(),
        now: () => now,
        pause: async () => undefined,
      },
      { address: '2001:db8::1', requestId: 'request' },
      { host: site.host, domainId: null, token, access: '-', ...pressed, ...more },
    );
  return { shareLinks, link, open };
}

test('50 people at once use up five opens exactly', async () => {
  const { shareLinks, link, open } = await aShare({ maxOpens: 5 });
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => open()));
  expect(outcomes.filter(({ kind }) => kind === 'opened')).toHaveLength(5);
  expect(outcomes.filter(({ kind }) => kind === 'ended')).toHaveLength(45);
  expect((await shareLinks.find(link.projectId, link.id))?.usedOpens).toBe(5);
});

test('two presses of one page at once are one open, also of the last one', async () => {
  const { shareLinks, link, open } = await aShare({ maxOpens: 1 });
  const twice = await Promise.all([open({ page: 'a' }), open({ page: 'a' })]);
  expect(twice.map(({ kind }) => kind)).toEqual(['opened', 'opened']);
  expect((await open({ page: 'a' })).kind).toBe('opened');
  expect((await open({ page: 'b' })).kind).toBe('ended');
  expect((await shareLinks.find(link.projectId, link.id))?.usedOpens).toBe(1);
});

test('a browser that restores its tabs after the open counts one more', async () => {
  const { shareLinks, link, open } = await aShare({ maxOpens: 2, usedOpens: 1 });
  const stamp = linkStampOf(link);
  const expires = now.getTime() / 1000 - 3600 + linkCookieSeconds;
  const { projectId } = link;
  const access = accessToken(accessSecret, { projectId, role: 'link', stamp, expires });
  const restored = { access, token: undefined, isPressed: false };
  const tabs = await Promise.all(Array.from({ length: 5 }, () => open(restored)));
  expect(tabs.map(({ kind }) => kind)).toEqual(Array.from({ length: 5 }, () => 'opened'));
  expect((await shareLinks.find(projectId, link.id))?.usedOpens).toBe(2);
});

test('a second press does not open what needs a password, or has ended', async () => {
  const passwordHash = cheaplyHashed('open sesame');
  const { shareLinks, link, open } = await aShare({ maxOpens: 1, passwordHash });
  const page = 'a';
  expect((await open({ page, password: 'open sesame' })).kind).toBe('opened');
  expect(await open({ page, password: 'wrong' })).toMatchObject({ kind: 'asked', isWrong: true });
  expect((await open({ page, password: 'open sesame' })).kind).toBe('opened');
  await shareLinks.update(link.projectId, link.id, { expiresAt: instant(now) });
  expect((await open({ page, password: 'open sesame' })).kind).toBe('ended');
});

test('whoever has it open uses up nothing more, until the link is gone', async () => {
  const { shareLinks, link, open } = await aShare({ maxOpens: 2 });
  const opened = await open();
  if (opened.kind !== 'opened') throw new Error(opened.kind);
  for (let again = 0; again < 3; again += 1)
    expect(await open({ access: opened.token })).toEqual({ kind: 'inside' });
  expect((await shareLinks.find(link.projectId, link.id))?.usedOpens).toBe(1);
  await shareLinks.remove(link.projectId, link.id);
  expect(await open({ access: opened.token })).toEqual({ kind: 'unknown', what: 'file' });
});

test('a limit that is removed while somebody opens the link stops nobody', async () => {
  const { shareLinks, link, open } = await aShare({ maxOpens: 1 });
  const useOpen = shareLinks.useOpen.bind(shareLinks);
  shareLinks.useOpen = async (...call) => {
    await shareLinks.update(link.projectId, link.id, { maxOpens: null });
    return useOpen(...call);
  };
  expect((await open()).kind).toBe('opened');
});

test.each<[string, object, string]>([
  ['another token', { token: 'A'.repeat(43) }, 'unknown'],
  ['no token at all', { token: '' }, 'unknown'],
  ['the id of the link', { token: aShareLink().link.id }, 'unknown'],
])('%s opens nothing', async (_, request, kind) => {
  const { open } = await aShare();
  expect((await open(request)).kind).toBe(kind);
});

test.each<[string, Parameters<typeof aSite>[0], object]>([
  ['is unpublished', { status: 'private' }, { kind: 'refused', refusal: { kind: 'missing' } }],
  ['has expired', { expiresAt: instant(now) }, { kind: 'refused', refusal: { kind: 'gone' } }],
  ['was taken down', { takenDown: true }, { kind: 'refused', refusal: { kind: 'withheld' } }],
])('no link opens a site that %s', async (_, changes, outcome) => {
  const { open } = await aShare({}, aSite(changes));
  expect(await open()).toMatchObject(outcome);
});

test('without a token, an unpublished site answers as one that is not there', async () => {
  const { open } = await aShare({}, aSite({ status: 'private' }));
  expect(await open({ token: undefined })).toEqual({ kind: 'unknown', what: 'site' });
  const { open: elsewhere } = await aShare();
  expect(await elsewhere({ token: undefined })).toEqual({ kind: 'inside' });
});

test('its password opens it, and a wrong one does not', async () => {
  const { open } = await aShare({ passwordHash: cheaplyHashed('open sesame') });
  expect(await open()).toEqual({ kind: 'asked', needsPassword: true });
  expect(await open({ password: 'wrong' })).toMatchObject({ kind: 'asked', isWrong: true });
  expect((await open({ password: 'open sesame' })).kind).toBe('opened');
});

/** What an owner may do while people open the link. */
const ownerActs = ['nothing', 'delete', 'raise', 'lower', 'expire', 'lock'] as const;

test('in every order of steps, no more people get in than the limit allowed, and nobody after the end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 8 }),
      fc.constantFrom(...ownerActs),
      async (scheduler, maxOpens, people, act) => {
        const { shareLinks, link, open } = await aShare({ maxOpens });
        const { projectId, id } = link;
        // Without the scheduler, to look at the end.
        const find = shareLinks.find.bind(shareLinks);
        const useOpen = shareLinks.useOpen.bind(shareLinks);
        shareLinks.find = (...call) =>
          scheduler.schedule(Promise.resolve()).then(() => find(...call));
        shareLinks.useOpen = (...call) =>
          scheduler.schedule(Promise.resolve()).then(() => useOpen(...call));
        const changes = {
          raise: { maxOpens: maxOpens + 1 },
          lower: { maxOpens: 1 },
          expire: { expiresAt: instant(now) },
          lock: { passwordHash: 'scrypt$2$8$1$salt$hash' },
        };
        const end = scheduler.schedule(Promise.resolve()).then(async () => {
          if (act === 'delete') await shareLinks.remove(projectId, id);
          else if (act !== 'nothing') await shareLinks.update(projectId, id, changes[act]);
        });
        const opening = Array.from({ length: people }, () => open());
        const [outcomes] = await scheduler.waitFor(Promise.all([Promise.all(opening), end]));
        const opened = outcomes.flatMap((outcome) => (outcome.kind === 'opened' ? outcome : []));
        const most = act === 'raise' ? maxOpens + 1 : maxOpens;
        expect(opened.length).toBeLessThanOrEqual(most);
        if (act === 'nothing') expect(opened).toHaveLength(Math.min(people, maxOpens));
        const current = await find(projectId, id);
        const isEnded = ['delete', 'expire', 'lock'].includes(act);
        for (const { token } of opened) {
          const cookie = readAccessToken(accessSecret, token, projectId, now);
          if (cookie === undefined) throw new Error('the cookie is not valid');
          const verdict = judgeLinkCookie(current, cookie, { isPageView: true, now });
          expect(verdict).toBe(isEnded ? 'refused' : 'admitted');
        }
      },
    ),
    { numRuns: proofSize({ short: 100, whole: 3000 }) },
  );
});
