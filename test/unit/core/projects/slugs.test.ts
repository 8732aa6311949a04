import { expect, test } from '@jest/globals';
import { Slug } from '../../../../contract/fields.ts';
import { temporarySlug } from '../../../../core/projects/slugs.ts';

test('a temporary slug is two words and four characters nobody confuses', () => {
  for (let index = 0; index < 500; index += 1) {
    const slug = temporarySlug();
    expect(slug).toMatch(/^[a-z]+-[a-z]+-[abcdefghjkmnpqrstuvwxyz2-9]{4}$/);
    expect(Slug.safeParse(slug).success).toBe(true);
  }
});
