import { expect, test } from '@jest/globals';
import { isOpenedByPerson } from '../../../../../core/visit/access/opened-by-person.ts';

const chromium =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

test.each([
  ['a browser', { 'user-agent': chromium, 'sec-fetch-mode': 'navigate' }, true],
  ['a browser that says nothing of itself', { 'user-agent': chromium }, true],
  ['curl', { 'user-agent': 'curl/8.5.0' }, true],
  ['a program without a name', {}, true],
  ['a prefetch', { 'user-agent': chromium, 'sec-purpose': 'prefetch' }, false],
  ['a prerendering', { 'user-agent': chromium, 'sec-purpose': 'prefetch;prerender' }, false],
  ['an old prefetch', { 'user-agent': chromium, purpose: 'prefetch' }, false],
  ['a script', { 'user-agent': chromium, 'sec-fetch-mode': 'cors' }, false],
  ['a chat’s preview', { 'user-agent': 'WhatsApp/2.23.20.0' }, false],
  ['an AI fetcher', { 'user-agent': 'Mozilla/5.0 (compatible; ChatGPT-User/1.0)' }, false],
])('%s', (_, headers, opens) => {
  expect(isOpenedByPerson(headers)).toBe(opens);
});
