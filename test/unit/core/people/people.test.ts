import { describe, expect, test } from '@jest/globals';
import { isOnList, PeopleList } from '../../../../core/people/people-list.ts';
import {
  judgeVisitorCookie,
  visitorCookieSeconds,
  visitorIdOf,
  visitorStampOf,
} from '../../../../core/people/visitor.ts';
import { epochSeconds, instant, plusSeconds } from '../../../../core/instants.ts';
import { archivedPeople } from '../../../../core/transfer/restored-project.ts';
import { accessToken } from '../../../../core/visit/access/access-token.ts';
import { findViewer } from '../../../../core/visit/access/viewer.ts';
import { newVisitorCode, readVisitorCode } from '../../../../core/visit/access/visitor-code.ts';
import { aSite, noLinks, now } from '../../../fixtures/visits/a-site.ts';

const secret = { current: 'b'.repeat(32), accepted: ['b'.repeat(32), 'a'.repeat(32)] };
const list: PeopleList = {
  stamp: 'stamp-000000',
  people: ['anna@x.com', '@y.com'],
  deniedPeople: ['bo@y.com', '@z.com'],
};
const email = 'anna@x.com';

describe('who is let in', () => {
  test.each([
    ['people', 'anna@x.com', true],
    ['people', 'other@x.com', false],
    ['people', 'anyone@y.com', true],
    ['people', 'anyone@sub.y.com', false],
    ['people', 'bo@y.com', false],
    ['people', 'bo+tag@y.com', false],
    ['people', 'bob@y.com', true],
    ['people', 'anna+tag@x.com', false],
    ['people', 'y.com@x.com', false],
    ['identify', 'other@x.com', true],
    ['identify', 'bo@y.com', false],
    ['identify', 'bo+a+b@y.com', false],
    ['identify', '+bo@y.com', true],
    ['identify', 'anyone@z.com', false],
    ['public', 'anna@x.com', false],
    ['password', 'anna@x.com', false],
    ['private', 'anna@x.com', false],
  ] as const)('%s, %s: %s', (access, address, isIn) => {
    expect(isOnList(list, access, address)).toBe(isIn);
  });

  test('without a list, `people` admits nobody and `identify` everybody', () => {
    expect(isOnList(undefined, 'people', email)).toBe(false);
    expect(isOnList(undefined, 'identify', email)).toBe(true);
  });
});

const site = aSite({ access: 'people', peopleStamp: list.stamp });
const id = visitorIdOf(site.projectId, email);
const visitor = {
  id,
  projectId: site.projectId,
  email,
  createdAt: instant(now),
  provedAt: instant(now),
  expiresAt: instant(plusSeconds(now, visitorCookieSeconds)),
};
const provedNow = {
  stamp: visitorStampOf(id, site),
  expires: epochSeconds(now) + visitorCookieSeconds,
};

test.each([
  ['a new cookie', visitor, provedNow, site, 'admitted'],
  ['nobody’s', undefined, provedNow, site, 'refused'],
  [
    'from before the owner ended it',
    visitor,
    { ...provedNow, expires: provedNow.expires - 1 },
    site,
    'refused',
  ],
  ['of an earlier list', visitor, provedNow, { ...site, peopleStamp: 'stamp-000001' }, 'ask-list'],
  ['of another access', visitor, provedNow, { ...site, access: 'identify' as const }, 'ask-list'],
] as const)('a cookie: %s', (_, found, token, at, verdict) => {
  expect(judgeVisitorCookie(found, token, at)).toBe(verdict);
});

describe('a request with a person’s cookie', () => {
  const access = accessToken(secret, { projectId: site.projectId, role: 'person', ...provedNow });
  const seen = async (at: typeof site, stored: PeopleList | undefined = list, on = now) => {
    let reads = 0;
    const visitors = {
      find: async () => visitor,
      listOf: async () => {
        reads += 1;
        return stored;
      },
    };
    const deps = { accessSecret: secret, shareLinks: noLinks, visitors };
    const { role } = await findViewer(deps, at, { access, isPageView: true }, on);
    return [role, reads];
  };

  test('reads no list while it is the one of the cookie', async () => {
    expect(await seen(site)).toEqual(['person', 0]);
  });

  test('is judged by a changed list', async () => {
    const changed = { ...site, peopleStamp: 'stamp-000001' };
    expect(await seen(changed)).toEqual(['person', 1]);
    expect(await seen(changed, { ...list, people: ['@y.com'] })).toEqual(['stranger', 1]);
    expect(await seen(changed, { ...list, deniedPeople: [email] })).toEqual(['stranger', 1]);
  });

  test('is a stranger’s when the project asks for something else, and after 30 days', async () => {
    expect(await seen({ ...site, access: 'password', passwordStamp: 'stamp' })).toEqual([
      'stranger',
      0,
    ]);
    expect(await seen({ ...site, access: 'private' })).toEqual(['stranger', 0]);
    expect(await seen(site, list, plusSeconds(now, visitorCookieSeconds - 1))).toEqual([
      'person',
      0,
    ]);
    expect(await seen(site, list, plusSeconds(now, visitorCookieSeconds))).toEqual(['stranger', 0]);
  });

  test('is a stranger’s if the list has gone', async () => {
    const changed = { ...site, access: 'identify' as const };
    const visitors = { find: async () => visitor, listOf: async () => undefined };
    const deps = { accessSecret: secret, shareLinks: noLinks, visitors };
    const { role } = await findViewer(deps, changed, { access, isPageView: true }, now);
    expect(role).toBe('stranger');
  });
});

describe('a code', () => {
  const purpose = { projectId: site.projectId, email };
  const { token, digits } = newVisitorCode(secret, purpose, now);

  test('has six digits that its token names for ten minutes', () => {
    expect(digits).toMatch(/^\d{6}$/);
    expect(readVisitorCode(secret, token, purpose, plusSeconds(now, 599))?.digits).toBe(digits);
    expect(readVisitorCode(secret, token, purpose, plusSeconds(now, 600))).toBeUndefined();
  });

  test('is for one address, and its secret may rotate', () => {
    const other = { ...purpose, email: 'other@x.com' };
    expect(readVisitorCode(secret, token, other, now)).toBeUndefined();
    const rotated = { current: 'c'.repeat(32), accepted: ['c'.repeat(32), 'b'.repeat(32)] };
    expect(readVisitorCode(rotated, token, purpose, now)?.digits).toBe(digits);
    const gone = { current: 'c'.repeat(32), accepted: ['c'.repeat(32)] };
    expect(readVisitorCode(gone, token, purpose, now)).toBeUndefined();
    expect(readVisitorCode(secret, `${token.slice(0, -1)}_`, purpose, now)).toBeUndefined();
  });
});

test('an imported list has one stamp in each try, and another where it differs', () => {
  const { stamp: _, ...lists } = list;
  const restored = archivedPeople(lists);
  expect(PeopleList.parse(restored)).toMatchObject(lists);
  expect(archivedPeople(lists)).toEqual(restored);
  expect(archivedPeople({ people: lists.people })?.stamp).not.toBe(restored?.stamp);
  expect(archivedPeople({})).toBeUndefined();
});
