import { describe, expect, test } from '@jest/globals';
import type { ProjectType } from '../../../../../contract/fields.ts';
import { scriptedPage } from '../../../../../web/pages/viewers/scripted-page.ts';
import type { Viewed } from '../../../../../web/pages/viewers/viewer-page.ts';
import { brand, hostile } from '../every-page.ts';

const origin = 'https://plan.sites.example';

function viewedFile(name: string, over: Partial<Viewed> = {}): Viewed {
  const asset = (kind: string) => `/_slipway/assets/${kind}-1A2B3C4D.js`;
  const assets = new Proxy({} as Viewed['assets'], { get: (_, kind) => asset(String(kind)) });
  const type: ProjectType = 'document';
  const file = { name, href: `/${encodeURIComponent(name)}`, bytes: 9, type, contentType: 'a/b' };
  return { brand, title: 'Plan', file, isSavable: true, origin, assets, ...over };
}

function pageOf(name: string, over: Partial<Viewed> = {}) {
  const page = scriptedPage(viewedFile(name, over));
  if (page === undefined) throw new Error(`no page for ${name}`);
  return page;
}

const shown = [
  ['Letter.docx', 'document'],
  ['LETTER.DOCX', 'document'],
  ['plan.pptx', 'presentation'],
  ['plan.ppsx', 'presentation'],
  ['hull.glb', 'model'],
  ['hull.gltf', 'model'],
  ['hull.stl', 'model'],
  ['hull.obj', 'model'],
  ['hull.ply', 'model'],
  ['ships.csv', 'table'],
  ['ships.tsv', 'table'],
] as const;

describe.each(shown)('%s', (name, viewer) => {
  test(`is shown by the script ${viewer}`, () => {
    const { html } = pageOf(name);
    expect(html).toContain(
      `<script type="module" src="/_slipway/assets/${viewer}-1A2B3C4D.js"></script>`,
    );
    expect(html).toContain(`data-source="/${name}" data-name="${name}"`);
  });

  test('runs scripts of ours alone, and talks to its own site alone', () => {
    const { csp } = pageOf(name);
    const policy = new Map(csp.split('; ').map((part) => [part.split(' ', 1)[0], part]));
    expect(policy.get('default-src')).toBe("default-src 'none'");
    expect(policy.get('script-src')).toBe(`script-src ${origin}/_slipway/assets/`);
    expect(policy.get('connect-src')).toMatch(/^connect-src 'self'(?: blob: data:)?$/);
    expect(policy.get('img-src')).toBe("img-src 'self' data: blob:");
    expect(policy.get('style-src')).not.toContain('unsafe');
    expect(csp).not.toMatch(/unsafe-eval|https?:\/\/(?!plan\.sites\.example)|\*/);
  });

  test('offers the file to be saved, unless its owner does not', () => {
    expect(pageOf(name).html).toContain(`href="/${name}" download="${name}"`);
    const { html } = pageOf(name, { isSavable: false });
    expect(html).not.toContain('download=');
    expect(html).not.toMatch(/Download it|can be downloaded/);
  });
});

test.each([
  'a.doc',
  'a.odt',
  'a.xlsx',
  'a.rtf',
  'a.pages',
  'a.ppt',
  'a.key',
  'a.3mf',
  'a.txt',
  'docx',
])('%s has no script that shows it', (name) => {
  expect(scriptedPage(viewedFile(name))).toBeUndefined();
});

test('what is too large for the memory of a browser is not shown', () => {
  const { file } = viewedFile('plan.pptx');
  const bytes = 100 * 1024 * 1024;
  expect(scriptedPage(viewedFile('', { file: { ...file, bytes } }))).toBeDefined();
  expect(scriptedPage(viewedFile('', { file: { ...file, bytes: bytes + 1 } }))).toBeUndefined();
});

test.each(['docx', 'pptx', 'glb', 'csv'])('a hostile name of a %s stays text', (extension) => {
  const { html } = pageOf(`${hostile}.${extension}`);
  expect(html).not.toContain('<img src=x');
  expect(html).not.toMatch(/[\u202E\u2028]/);
});
