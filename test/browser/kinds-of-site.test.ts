import { describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { anEmail, signIn } from '../fixtures/accounts/accounts.ts';
import { file } from '../fixtures/clouds/client.ts';
import { created } from '../fixtures/projects/projects.ts';
import { patch, push } from '../fixtures/projects/versions.ts';
import { type KindOfSite, kindsOfSite } from '../fixtures/visits/kinds-of-site.ts';
import { page } from './support/own-page.ts';
import { watch } from './support/watch.ts';

const home = { name: 'zipIndexHtmlPath', body: 'index.html' };

async function zipOf(files: KindOfSite['files']) {
  const zip = new JSZip();
  for (const [path, content] of Object.entries(files)) zip.file(path, content);
  return [file('site.zip', await zip.generateAsync({ type: 'nodebuffer' })), home];
}

/** Opens and reloads every page until its text is there. */
async function expectPages(url: string, { pages }: KindOfSite, errors: string[]): Promise<void> {
  for (const [path, text] of pages) {
    await page.goto(url + path);
    await page.getByText(text).first().waitFor();
    await page.reload();
    await page.getByText(text).first().waitFor();
    expect({ path, errors }).toEqual({ path, errors: [] });
  }
}

/** Modules that pages of these kinds load when a person goes on, named as their generators name them. */
const laterParts: Readonly<Record<string, string>> = {
  'Next export': '_next/static/chunks/app-1f2e3d4c5b6a7988.js',
  Astro: '_astro/Island.DkQ1xY9z.js',
  Docusaurus: 'assets/js/17896441.5f3a1b2c.js',
  VitePress: 'assets/guide_tides.md.E4f5G6h7.lean.js',
  Storybook: 'assets/Button.stories-C4d5E6f7.js',
  'an application that works offline': 'tour-B1c2D3e4.js',
};
const module = "export default 'from the version that was opened'";

test('every kind with later parts is tested', () => {
  const names = kindsOfSite.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(laterParts)));
});

/** The page that is open loads a module that the version it is of has, and the live version has not. */
async function expectLaterPart(kind: KindOfSite, hasAnalytics: boolean): Promise<void> {
  const later = `import('/${laterParts[kind.name]}?${hasAnalytics}').then((loaded) => loaded.default)`;
  expect(await page.evaluate(later)).toBe('from the version that was opened');
}

describe('Chromium shows every page of a built site without an error, and an open page loads later parts (habit 6)', () => {
  test.each(kindsOfSite.map((kind) => [kind.name, kind] as const))(
    '%s, with analytics and without, before and after a push',
    async (_, kind) => {
      const key = await signIn(anEmail());
      const part = laterParts[kind.name];
      const files = part === undefined ? kind.files : { ...kind.files, [part]: module };
      const { projectId, url } = await created(key, { files: await zipOf(files) });
      const errors = watch(page, new URL(url).host);
      const change = async (changed: KindOfSite['files']) =>
        expect((await push(key, projectId, await zipOf(changed))).status).toBe(200);
      await expectPages(url, kind, errors);
      await change({ ...kind.files, 'pushed.txt': 'pushed' });
      if (part !== undefined) await expectLaterPart(kind, true);
      await patch(key, projectId, { analyticsEnabled: false });
      if (part !== undefined) await change(files);
      await expectPages(url, kind, errors);
      if (part === undefined) return;
      await change({ ...kind.files, 'later.txt': 'later' });
      await expectLaterPart(kind, false);
      expect(errors).toEqual([]);
    },
  );
});

test('a page that was open before a push loads its later parts (habit 6)', async () => {
  const [application] = kindsOfSite;
  if (application === undefined) throw new Error('there is no application');
  const key = await signIn(anEmail());
  const { projectId, url } = await created(key, { files: await zipOf(application.files) });
  const errors = watch(page, new URL(url).host);
  await page.goto(url);
  await page.getByText('All tours').waitFor();
  const renamed = Object.fromEntries(
    Object.entries(application.files).map(([path, content]) => [
      path.replace(/-(\w{4})\w{4}\./, '-$1N3w8.'),
      String(content).replaceAll(/-(\w{4})\w{4}\.(js|css)/g, '-$1N3w8.$2'),
    ]),
  );
  expect((await push(key, projectId, await zipOf(renamed))).status).toBe(200);
  expect(await page.evaluate('openTour()')).toBe('from the version that was opened');
  await page.reload();
  await page.getByText('All tours').waitFor();
  expect(
    await page.evaluate('performance.getEntriesByType("resource").map(({ name }) => name).join()'),
  ).toContain('N3w8.js');
  expect(errors).toEqual([]);
});

test('an application that works offline shows nothing after its access ended (habit 11)', async () => {
  const offline = kindsOfSite.find(({ name }) => name.includes('offline'));
  if (offline === undefined) throw new Error('there is no application that works offline');
  const key = await signIn(anEmail());
  const { projectId, url } = await created(key, { files: await zipOf(offline.files) });
  await page.goto(url);
  await page.getByText('Works offline at /').waitFor();
  await patch(key, projectId, { access: 'password', password: 'calm harbour' });
  // The worker may show its page once more: meanwhile the browser looks for a newer worker.
  await page.reload();
  await page.locator('input[type=password]').waitFor();
  await page.reload();
  expect(await page.getByText('Works offline').count()).toBe(0);
});
