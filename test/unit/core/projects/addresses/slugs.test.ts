import { expect, test } from '@jest/globals';
import { Slug } from '../../../../../contract/fields.ts';
import {
  isTemporarySlug,
  temporarySlug,
  titleSlugs,
} from '../../../../../core/projects/addresses/slugs.ts';

test('a temporary slug is two words and four unambiguous characters', () => {
  for (let index = 0; index < 500; index += 1) {
    const slug = temporarySlug();
    expect(slug).toMatch(/^[a-z]+-[a-z]+-[abcdefghjkmnpqrstuvwxyz2-9]{4}$/);
    expect(Slug.safeParse(slug).success).toBe(true);
  }
});

const tail = '[abcdefghjkmnpqrstuvwxyz2-9]{4}';

test.each([
  ['Harbour', 'harbour'],
  ['  Q3 Report: Numbers & Charts!  ', 'q3-report-numbers-charts'],
  ['Crème brûlée à la façon', 'creme-brulee-a-la-facon'],
  ['Straße nach Łódź, Ærø', 'strasse-nach-lodz-aero'],
  ['ｆｕｌｌ ｗｉｄｔｈ ①', 'full-width-1'],
  ['a---b__c', 'a-b-c'],
  ['x'.repeat(80), 'x'.repeat(50)],
  [`${'x'.repeat(49)} yz`, 'x'.repeat(49)],
  [`${'x'.repeat(50)} yz`, 'x'.repeat(50)],
  ['2026', '2026'],
])('the title %j makes %s, with a suffix if that is taken', (title, slug) => {
  const [first, ...others] = titleSlugs(title, () => true);
  expect(first).toBe(slug);
  expect(others).toHaveLength(5);
  for (const other of others) expect(other).toMatch(new RegExp(`^${slug}-${tail}$`));
});

test.each([['日本語'], ['🎉🎉'], ['---'], ['Ω']])('%s makes two words', (title) => {
  const [first] = titleSlugs(title, () => true);
  expect(first).toMatch(/^[a-z]+-[a-z]+$/);
});

test('reserved slugs are skipped', () => {
  const slugs = [...titleSlugs('Admin', (slug) => slug !== 'admin')];
  expect(slugs[0]).toMatch(new RegExp(`^admin-${tail}$`));
});

test('a temporary slug is recognised by its shape', () => {
  for (let index = 0; index < 500; index += 1) expect(isTemporarySlug(temporarySlug())).toBe(true);
});

test.each([
  'harbour',
  'calm-harbour',
  'calm-harbour-x7k',
  'calm-harbour-x7k2b',
  'calm-harbour-x7k2-b',
  'calm-harbour-x7k1',
  'harbour-calm-x7k2',
  'calm-report-x7k2',
  'toString-harbour-x7k2',
])('%s has another shape', (slug) => expect(isTemporarySlug(slug)).toBe(false));

test.each(['Calm harbour', 'Calm harbour x7k2', '日本語'])(
  'no title makes a temporary slug: %s',
  (title) => {
    for (let index = 0; index < 50; index += 1) {
      for (const slug of titleSlugs(title, () => true)) expect(isTemporarySlug(slug)).toBe(false);
    }
  },
);
