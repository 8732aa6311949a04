import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { errorCodes } from '../../contract/errors.ts';
import { generatedTexts } from '../../contract/llms/documentation-text.ts';
import { guides, referencePages, writtenGuides } from '../../contract/llms/guides.ts';
import { llmsIndex, llmsText } from '../../contract/llms/llms-text.ts';
import { insertInstallationNames } from '../../contract/llms/insert-installation-names.ts';
import { operations } from '../../contract/operations.ts';
import { defaultPlans } from '../../contract/plans.ts';
import { tempLimits } from '../../core/projects/publishing/upload-limits.ts';
import { documentationMarkup } from '../../web/text/documentation-markup.ts';

const baseUrl = 'https://drop.example.org';
const options = {
  brand: 'Harbour',
  baseUrl,
  plans: defaultPlans,
  temporary: tempLimits({ perMinute: 3, perHour: 5 }),
};
const texts = new Map([
  ...writtenGuides.map(({ slug }): [string, string] => [
    slug,
    readFileSync(`docs/${slug}.md`, 'utf8'),
  ]),
  ...generatedTexts(options, operations),
]);

describe('the documentation', () => {
  test('has a text for each page of its contents list, and no other', () => {
    const slugs = [...guides, ...referencePages].map(({ slug }) => slug);
    expect([...texts.keys()].toSorted()).toEqual(slugs.toSorted());
  });

  test('describes each operation once, on the page of its group', () => {
    for (const { group, method, path } of operations) {
      const where = [...texts].filter(([, text]) => text.includes(`\n## ${method} ${path}\n`));
      expect(where.map(([slug]) => slug)).toEqual([`api/${group}`]);
    }
  });

  test('names every error, with an anchor that operations link to', () => {
    const { markup } = documentationMarkup(texts.get('errors') ?? '');
    for (const code of errorCodes) expect(markup).toContain(`id="${code.toLowerCase()}"`);
    expect(texts.get('api/projects')).toContain('[SLUG_TAKEN](/docs/errors#slug_taken) (409)');
  });

  test.each([...texts.keys()])(
    '%s: begins with its title, and links only to pages there are',
    (slug) => {
      const { markup } = documentationMarkup(texts.get(slug) ?? '');
      expect(markup).toMatch(/^<h1 id="[^"]+">[^<]+<\/h1>/);
      const links = [...markup.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href);
      const local = links.filter((href) => !/^https?:/.test(href));
      for (const href of local) {
        const [, page, anchor] = /^(?:\/docs\/([\w/-]+))?(?:#(.+))?$/.exec(href) ?? [];
        if (['/openapi.json', '/llms.txt', '/llms-full.txt'].includes(href)) continue;
        const target = documentationMarkup(texts.get(page ?? slug) ?? '').markup;
        expect([href, target !== '']).toEqual([href, true]);
        if (anchor !== undefined) expect(target).toContain(`id="${anchor}"`);
      }
    },
  );
});

test('texts name the installation, and no header is renamed', () => {
  const names = { ...options, sitesDomain: 'pages.example.com', keyPrefix: 'hb' };
  const text =
    'Slipway at https://app.example.com/v1 serves https://calm.sites.example.net at calm.sites.example.net with sw_live_x and X-Slipway-Host.';
  expect(insertInstallationNames(text, names)).toBe(
    'Harbour at https://drop.example.org/v1 serves https://calm.pages.example.com at calm.pages.example.com with hb_live_x and X-Slipway-Host.',
  );
});

test('llms.txt is a short index that leads to every page', () => {
  const index = llmsIndex(options);
  for (const { slug } of [...guides, ...referencePages]) {
    expect(index).toContain(`](${baseUrl}/docs/${slug}.md)`);
  }
  expect(index).toMatch(/^# Harbour\n\n> /);
  expect(index).toContain(`${baseUrl}/llms-full.txt`);
  expect(index.length * 8).toBeLessThan(llmsText(options, operations).length);
});
