import { describe, expect, test } from '@jest/globals';
import type { ProjectType } from '../../../../../contract/fields.ts';
import { viewerPage } from '../../../../../web/pages/viewers/viewer-pages.ts';
import type { ViewerInput } from '../../../../../web/pages/viewers/viewer-frame.ts';
import type { Viewer } from '../../../../../core/content/detect-type.ts';
import { assets } from '../../../../fixtures/visits/viewers.ts';
import { brand, hostile } from '../every-page.ts';

const origin = 'https://plan.sites.example';

function inputFor(name: string, over: Partial<ViewerInput> = {}): ViewerInput {
  const type: ProjectType = 'document';
  const file = { name, href: `/${encodeURIComponent(name)}`, bytes: 9, type, contentType: 'a/b' };
  return { brand, title: 'Plan', file, isSavable: true, origin, assets, ...over };
}

function pageOf(name: string, over: Partial<ViewerInput> = {}) {
  const page = viewerPage(inputFor(name, over));
  if (page === undefined) throw new Error(`no page for ${name}`);
  return page;
}

/** A new viewer needs a sample here. */
const samples: Record<Viewer, readonly string[]> = {
  document: ['Letter.docx', 'LETTER.DOCX', 'a.docm', 'a.dotx', 'a.dotm'],
  font: ['sans.ttf', 'sans.otf', 'sans.woff', 'sans.woff2'],
  image: [
    'bow.svg',
    'bow.tiff',
    'bow.jfif',
    'bow.dib',
    'bow.cur',
    'a.psd',
    'a.nef',
    'a.jp2',
    'photo.heic',
  ],
  media: ['bell.mp3', 'launch.mp4', 'bell.m4b', 'bell.mka', 'bell.aifc'],
  model: [
    'hull.glb',
    'hull.gltf',
    'hull.stl',
    'hull.obj',
    'hull.ply',
    'hull.3mf',
    'a.fbx',
    'a.dae',
    'a.usdz',
  ],
  pdf: ['plan.pdf', 'poster.ai'],
  reader: [
    'a.odt',
    'a.ott',
    'a.fodt',
    'a.odp',
    'a.otp',
    'a.fodp',
    'a.doc',
    'a.ppt',
    'a.pps',
    'a.pot',
    'a.epub',
  ],
  presentation: ['plan.pptx', 'plan.ppsx', 'a.pptm', 'a.potx', 'a.potm', 'a.ppsm'],
  table: [
    'ships.csv',
    'ships.tsv',
    'ships.xlsx',
    'ships.xls',
    'ships.ods',
    'a.xlsb',
    'a.xltx',
    'a.xltm',
    'a.fods',
    'a.parquet',
    'a.arrow',
    'a.arrows',
    'a.feather',
    'a.ipc',
    'a.sqlite',
    'a.db',
    'a.tar',
    'a.tar.gz',
    'a.7z',
  ],
};
const shown = Object.entries(samples).flatMap(([viewer, names]) =>
  names.map((name) => [name, viewer] as const),
);
const shownByBrowser = ['image', 'media', 'pdf'];

test.each([
  ['pdf', 'pdf'],
  ['png', 'image'],
  ['MP3', 'media'],
])('a file named exactly `%s` is shown by the viewer %s', (name, viewer) =>
  expect(pageOf(name).html).toContain(`/_slipway/assets/${viewer}-1A2B3C4D.js`),
);

test.each(['csv', 'docx', 'glb', 'pptx'])(
  'a file named exactly `%s` has no extension by which its script could read it',
  (name) => expect(viewerPage(inputFor(name))).toBeUndefined(),
);

describe.each(shown)('%s', (name, viewer) => {
  test(`is shown by the script ${viewer}, which exists`, () => {
    const { html } = pageOf(name);
    expect(html).toContain(
      `<script type="module" src="/_slipway/assets/${viewer}-1A2B3C4D.js"></script>`,
    );
    expect(html).toContain(
      shownByBrowser.includes(viewer) ? `"/${name}"` : `data-source="/${name}" data-name="${name}"`,
    );
  });

  test('runs only our scripts, and connects only to its own site', () => {
    const { csp } = pageOf(name);
    const policy = new Map(csp.split('; ').map((part) => [part.split(' ', 1)[0], part]));
    expect(policy.get('default-src')).toBe("default-src 'none'");
    // Decoders of models are WebAssembly.
    const wasm = viewer === 'model' ? " 'wasm-unsafe-eval'" : '';
    expect(policy.get('script-src')).toBe(`script-src ${origin}/_slipway/assets/${wasm}`);
    expect(policy.get('connect-src')).toMatch(/^connect-src 'self'(?: blob: data:)?$/);
    expect(policy.get('img-src')).toBe("img-src 'self' data: blob:");
    expect(policy.get('style-src')).not.toContain('unsafe');
    expect(csp).not.toMatch(/'unsafe-eval|https?:\/\/(?!plan\.sites\.example)|\*/);
  });

  test('offers a download, unless the owner turned it off', () => {
    expect(pageOf(name).html).toContain(`href="/${name}" download="${name}"`);
    const { html } = pageOf(name, { isSavable: false });
    expect(html).not.toContain('download=');
    expect(html).not.toMatch(/Download it|can be downloaded/);
  });
});

test.each(['a.rtf', 'a.pages', 'a.key', 'a.rar', 'a.txt', 'docx'])(
  '%s has no script that shows it',
  (name) => {
    expect(viewerPage(inputFor(name))).toBeUndefined();
  },
);

test('a file too large for a browser’s memory is not shown', () => {
  const { file } = inputFor('plan.pptx');
  const bytes = 100 * 1024 * 1024;
  expect(viewerPage(inputFor('', { file: { ...file, bytes } }))).toBeDefined();
  expect(viewerPage(inputFor('', { file: { ...file, bytes: bytes + 1 } }))).toBeUndefined();
});

test.each(['docx', 'pptx', 'glb', 'csv'])('a hostile name of a %s stays text', (extension) => {
  const { html } = pageOf(`${hostile}.${extension}`);
  expect(html).not.toContain('<img src=x');
  expect(html).not.toMatch(/[\u202E\u2028]/);
});
