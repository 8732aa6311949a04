import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { ProjectType } from '../../../../../contract/fields.ts';
import { markupKey, StoreId } from '../../../../../core/content/content-keys.ts';
import { shownBytesOf, type TextFile } from '../../../../../core/content/text-file.ts';
import type { StoredObject } from '../../../../../core/ports.ts';
import { removeDroppedVersion } from '../../../../../core/projects/versions/drop-version.ts';
import { storeVersion } from '../../../../../core/projects/publishing/store-version.ts';
import { buildServingRecord } from '../../../../../core/projects/build-serving-record.ts';
import { encodeManifest } from '../../../../../core/visit/manifest.ts';
import { decodeMarkup, markupRevision } from '../../../../../core/visit/text-markup.ts';
import { textMarkup } from '../../../../../web/pages/viewers/text-markup.ts';
import { aProject, aVersion } from '../../../../fixtures/projects/a-project.ts';
import { aManifest } from '../../../../fixtures/visits/a-site.ts';

const projectId = aProject().id;
const store = StoreId.parse('a1');

/** Stores files as a version, and gives what was stored and what was rendered. */
async function stored(
  type: ProjectType,
  contents: Record<string, string>,
  home: string | null = null,
  more: { mayBeText?: boolean } = {},
) {
  const objects = new Map<string, StoredObject>();
  const rendered: TextFile[] = [];
  const content = {
    put: async (object: StoredObject) => void objects.set(object.key, object),
    get: async () => undefined,
    putLarge: async () => undefined,
    deletePrefix: async () => undefined,
    async renderText(text: TextFile) {
      rendered.push(text);
      return textMarkup(text);
    },
  };
  const files = Object.entries(contents).map(([path, text]) => ({
    path,
    bytes: Buffer.from(text),
  }));
  async function* each() {
    for (const { path, bytes } of files) yield { path, size: bytes.length, content: [bytes] };
  }
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  const upload = { type, home, title: 'T', fileCount: files.length, bytes, files: each, ...more };
  const version = await storeVersion(content, { projectId, store }, upload);
  return { version, objects, rendered };
}

test('a document is of the type that its bytes have, and so is its file', async () => {
  const { version } = await stored('document', { 'a.doc': '%PDF-1.4\n' });
  expect(version.type).toBe('pdf');
  expect(version.files.get('a.doc')).toMatchObject({ format: 'pdf' });
  expect((await stored('files', { 'a.doc': '%PDF-1.4\n' })).version.type).toBe('files');
  expect((await stored('image', { 'a.png': 'x' })).version.type).toBe('image');
});

describe('the slow part of a text’s page is rendered once, when the text is published', () => {
  test.each<[ProjectType, string, string, string]>([
    ['code', 'a.ts', 'const a = 1;\n', 'hljs-keyword'],
    ['markdown', 'a.md', '# Berths\n', '<h1 id="berths">'],
    ['document', 'a.txt', 'plain\n', 'class="line"'],
  ])('for %s, and stored beside the file', async (type, path, text, mark) => {
    const { version, objects, rendered } = await stored(type, { [path]: text });
    expect(version.markupRevision).toBe(markupRevision);
    const object = objects.get(markupKey(projectId, store));
    expect(decodeMarkup(object?.bytes ?? Buffer.of()).markup).toContain(mark);
    expect(rendered).toHaveLength(1);
    // The gate is told of it, and the quota is not: it is the size of what was sent.
    expect(buildServingRecord(aProject(), { ...aVersion(), ...version }).markupRevision).toBe(
      markupRevision,
    );
    expect(version.bytes).toBe(text.length);
  });

  test.each<[string, ProjectType, Record<string, string>, string | null]>([
    ['of several files', 'files', { 'a.ts': 'a', 'b.ts': 'b' }, null],
    ['of a site', 'html', { 'index.html': '<h1>x</h1>' }, 'index.html'],
    ['of a picture', 'image', { 'a.png': 'x' }, null],
    ['of an empty text', 'code', { 'a.ts': '' }, null],
    ['of a table, which has a viewer page', 'document', { 'a.csv': 'a,b\n1,2\n' }, null],
  ])('no markup is stored %s', async (_, type, files, home) => {
    const { version, objects, rendered } = await stored(type, files, home);
    expect(version.markupRevision).toBeUndefined();
    expect([objects.has(markupKey(projectId, store)), rendered]).toEqual([false, []]);
  });

  test('of a large text only the beginning is rendered, and the whole file is stored', async () => {
    const text = 'a line\n'.repeat(400_000);
    const { rendered, objects, version } = await stored('document', { 'a.txt': text });
    expect(rendered[0]?.bytes.length).toBe(shownBytesOf('a.txt'));
    expect(rendered[0]?.isWhole).toBe(false);
    // A pack with the file and its brotli form.
    const [entry] = version.files.values();
    const sizes = [...objects.values()].map(({ bytes }) => bytes.length);
    expect(Math.max(...sizes)).toBe(text.length + (entry?.brotliBytes ?? 0));
  });

  test('the markup is deleted with its version', async () => {
    const dropped = aVersion({
      store,
      home: null,
      manifest: Buffer.from(encodeManifest(aManifest('a.ts'))),
      markupRevision,
    });
    const deleted: string[] = [];
    await removeDroppedVersion(
      {
        projects: {
          get: async () => undefined,
          getVersion: async () => undefined,
          isRemovalDue: async () => false,
          postponeDrop: async () => undefined,
          scheduleErasure: async () => true,
          listVersions: async () => [],
          getDroppedVersion: async () => dropped,
          deleteDroppedVersion: async () => undefined,
        },
        content: {
          get: async () => undefined,
          deleteKeys: async (keys: readonly string[]) => void deleted.push(...keys),
          deletePrefix: async () => undefined,
        },
      },
      projectId,
      1,
      { now: new Date(), isLate: () => false },
    );
    expect(deleted).toContain(markupKey(projectId, store));
  });
});

test.each([
  ['text', 'let x = 1\n', 'code'],
  ['bytes', 'a\u0000b', 'files'],
])('a file of an unknown format that holds %s', async (_, content, type) => {
  const { version, rendered } = await stored('files', { 'a.fmt': content }, null, {
    mayBeText: true,
  });
  expect(version.type).toBe(type);
  expect(rendered.map((text) => text.type)).toEqual(type === 'code' ? ['code'] : []);
});

const aNotebook = JSON.stringify({
  nbformat: 4,
  metadata: { kernelspec: { language: 'python' } },
  cells: [
    { cell_type: 'markdown', source: ['# A\n', '$x^2$'] },
    {
      cell_type: 'code',
      source: 'print(1)',
      outputs: [
        { output_type: 'stream', text: '1\n' },
        { output_type: 'display_data', data: { 'image/png': 'iVBORw0KGgo=' } },
        { output_type: 'display_data', data: { 'text/html': '<table><tr><td>1</table>' } },
        { output_type: 'display_data', data: { 'text/vnd.mermaid': 'graph TD\nA-->B' } },
      ],
    },
  ],
});

/** A change of it needs another `markupRevision`, or pages go on showing what was kept before. */
test('this revision of markup has not changed', () => {
  const samples: [string, ProjectType, string][] = [
    ['a.ts', 'code', 'export const a: number = 1; // one\nfunction f(x) { return `${x}`; }\n'],
    ['a.py', 'python', 'def f(x):\n    """Doc."""\n    return {"a": x}\n'],
    ['a.sql', 'sql', "SELECT a FROM b WHERE c = 'd';\n"],
    ['a.yml', 'yaml', 'a: 1\nb:\n  - "c"\n'],
    [
      'a.md',
      'markdown',
      '# A\n\n| a | b |\n|--|:-:|\n| 1 | 2 |\n\n```js\nlet a;\n```\n\n![x](y.png)\n',
    ],
    ['a.txt', 'document', '<plain> & simple\n'],
    ['a.ipynb', 'code', aNotebook],
    ['a.rtf', 'document', '{\\rtf1 A{\\pict\\pngblip 89504e47}}'],
    ['a.mmd', 'code', 'graph TD\nA-->B\n'],
    ['a.eml', 'code', 'From: a@example.com\nTo: b@example.com\nSubject: A\n\nB \nC\n'],
    ['a.vcf', 'code', 'BEGIN:VCARD\nFN:A\nTEL;TYPE=CELL;TYPE=VOICE:1\nEND:VCARD\n'],
    [
      'a.ics',
      'code',
      'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:A\nDTSTART:20260301\nDURATION:P1D\nEND:VEVENT\n',
    ],
  ];
  const made = samples.map(([path, type, text]) =>
    textMarkup({ path, type, bytes: Buffer.from(text), isWhole: true }),
  );
  const digest = createHash('sha256').update(JSON.stringify(made)).digest('hex').slice(0, 16);
  expect([markupRevision, digest]).toEqual([13, 'b361b00fb02a136b']);
});
