import { expect, test } from '@jest/globals';
import { instant, plusSeconds } from '../../../../core/instants.ts';
import {
  judgeLinkCookie,
  linkCookieSeconds,
  linkIdOfStamp,
  linkStampOf,
  linkState,
  newShareToken,
  type ShareLink,
  shareLinkIdOf,
} from '../../../../core/share-links/share-link.ts';
import { now } from '../../../fixtures/visits/a-site.ts';
import { aShareLink } from '../../../fixtures/visits/share-links.ts';

const minute = 60;
const hour = 3600;
const day = 86_400;
const nowSeconds = now.getTime() / 1000;

test.each<[string, Partial<ShareLink>, string]>([
  ['a link without limits', {}, 'active'],
  ['one that expires later', { expiresAt: instant(plusSeconds(now, 1)) }, 'active'],
  ['one that expires now', { expiresAt: instant(now) }, 'expired'],
  ['one with an open left', { maxOpens: 2, usedOpens: 1 }, 'active'],
  ['one without an open left', { maxOpens: 2, usedOpens: 2 }, 'used-up'],
  ['one whose limit was lowered', { maxOpens: 1, usedOpens: 2 }, 'used-up'],
  ['one that is both', { maxOpens: 1, usedOpens: 1, expiresAt: instant(now) }, 'expired'],
])('the state of %s', (_, changes, state) => {
  expect(linkState(aShareLink(changes).link, now)).toBe(state);
});

const limited = { maxOpens: 3, usedOpens: 2 };
const usedUp = { maxOpens: 3, usedOpens: 3 };
test.each<[string, Partial<ShareLink>, number, boolean, string]>([
  ['a link without a limit, at once', {}, 0, true, 'admitted'],
  ['a link without a limit, four weeks later', {}, 28 * day, true, 'admitted'],
  ['the end of the link', { expiresAt: instant(now) }, 0, true, 'refused'],
  ['the end of the link, for a file', { expiresAt: instant(now) }, 0, false, 'refused'],
  ['a page at once, though the last open is used', usedUp, 0, true, 'admitted'],
  [
    'a file of the last open, less a second than 30 minutes',
    usedUp,
    30 * minute - 1,
    false,
    'admitted',
  ],
  ['a file of the last open 30 minutes later', usedUp, 30 * minute, false, 'refused'],
  ['a page of the last open 30 minutes later', usedUp, 30 * minute, true, 'stale'],
  ['a page 30 minutes later, less a second', limited, 30 * minute - 1, true, 'admitted'],
  ['a page 30 minutes later', limited, 30 * minute, true, 'stale'],
  ['a file 30 minutes later', limited, 30 * minute, false, 'admitted'],
  ['a file 12 hours later, less a second', limited, 12 * hour - 1, false, 'admitted'],
  ['a file 12 hours later', limited, 12 * hour, false, 'refused'],
  ['a page a week later', limited, 7 * day, true, 'stale'],
])('a cookie: %s', (_, changes, age, isPageView, verdict) => {
  const { link } = aShareLink(changes);
  const cookie = { stamp: linkStampOf(link), expires: nowSeconds - age + linkCookieSeconds };
  expect(judgeLinkCookie(link, cookie, { isPageView, now })).toBe(verdict);
});

test.each<[string, (link: ShareLink) => ShareLink | undefined]>([
  ['a link that is gone', () => undefined],
  ['a new password', (link) => ({ ...link, passwordHash: 'scrypt$2$8$1$other$hash' })],
  ['a password that was removed', (link) => ({ ...link, passwordHash: null })],
  ['another link', () => aShareLink().link],
])('a cookie is worth nothing after %s', (_, changed) => {
  const { link } = aShareLink({ passwordHash: 'scrypt$2$8$1$salt$hash' });
  const cookie = { stamp: linkStampOf(link), expires: nowSeconds + linkCookieSeconds };
  expect(judgeLinkCookie(link, cookie, { isPageView: true, now })).toBe('admitted');
  expect(judgeLinkCookie(changed(link), cookie, { isPageView: true, now })).toBe('refused');
});

test('a token says which link it is of, and its stamp fits the cookie of the edge', () => {
  const { token, id } = newShareToken();
  expect(shareLinkIdOf(token)).toBe(id);
  const stamp = linkStampOf({ id, passwordHash: 'scrypt$2$8$1$salt$hash' });
  expect(linkIdOfStamp(stamp)).toBe(id);
  expect(stamp).toMatch(/^[\w-]{28}$/);
  expect(token).not.toContain(id);
});
