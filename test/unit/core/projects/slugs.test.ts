import { expect, test } from '@jest/globals';
import { Slug } from '../../../../contract/fields.ts';
import { temporarySlug, titleSlugs } from '../../../../core/projects/slugs.ts';

test('a temporary slug is two words and four characters nobody confuses', () => {
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
])('the title %j makes %s, and the same with a tail when that is taken', (title, slug) => {
  const [first, ...others] = titleSlugs(title, () => true);
  expect(first).toBe(slug);
  expect(others).toHaveLength(5);
  for (const other of others) expect(other).toMatch(new RegExp(`^${slug}-${tail}$`));
});

test.each([['日本語'], ['🎉🎉'], ['---'], ['Ω']])('%s makes two words', (title) => {
  const [first] = titleSlugs(title, () => true);
  expect(first).toMatch(/^[a-z]+-[a-z]+$/);
});

test('what may not be given is passed over', () => {
  const slugs = [...titleSlugs('Admin', (slug) => slug !== 'admin')];
  expect(slugs[0]).toMatch(new RegExp(`^admin-${tail}$`));
});
