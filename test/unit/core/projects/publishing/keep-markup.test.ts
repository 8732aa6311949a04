import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { ProjectType } from '../../../../../contract/fields.ts';
import { markupKey, StoreId } from '../../../../../core/content/content-keys.ts';
import { shownTextBytes, type TextFile } from '../../../../../core/content/text-file.ts';
import type { StoredObject } from '../../../../../core/ports.ts';
import { removeDropped } from '../../../../../core/projects/versions/drop-version.ts';
import { storeVersion } from '../../../../../core/projects/publishing/store-version.ts';
import { servingRecord } from '../../../../../core/projects/serving.ts';
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
) {
  const objects = new Map<string, StoredObject>();
  const rendered: TextFile[] = [];
  const content = {
    put: async (object: StoredObject) => void objects.set(object.key, object),
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
  const upload = { type, home, title: 'T', fileCount: files.length, bytes, files: each };
  const version = await storeVersion(content, { projectId, store }, upload);
  return { version, objects, rendered };
}

describe('point 10: what takes long of a text’s page is made once, when it is published', () => {
  test.each<[ProjectType, string, string, string]>([
    ['code', 'a.ts', 'const a = 1;\n', 'hljs-keyword'],
    ['markdown', 'a.md', '# Berths\n', '<h1 id="berths">'],
    ['document', 'a.txt', 'plain\n', 'class="line"'],
  ])('of %s, and kept beside the file', async (type, path, text, mark) => {
    const { version, objects, rendered } = await stored(type, { [path]: text });
    expect(version.markupRevision).toBe(markupRevision);
    const object = objects.get(markupKey(projectId, store));
    expect(decodeMarkup(object?.bytes ?? Buffer.of()).markup).toContain(mark);
    expect(rendered).toHaveLength(1);
    // The gate is told of it, and the quota is not: it is the size of what was sent.
    expect(servingRecord(aProject(), { ...aVersion(), ...version }).markupRevision).toBe(
      markupRevision,
    );
    expect(version.bytes).toBe(text.length);
  });

  test.each<[string, ProjectType, Record<string, string>, string | null]>([
    ['of several files', 'files', { 'a.ts': 'a', 'b.ts': 'b' }, null],
    ['of a site', 'html', { 'index.html': '<h1>x</h1>' }, 'index.html'],
    ['of a picture', 'image', { 'a.png': 'x' }, null],
    ['of an empty text', 'code', { 'a.ts': '' }, null],
  ])('nothing is kept %s', async (_, type, files, home) => {
    const { version, objects, rendered } = await stored(type, files, home);
    expect(version.markupRevision).toBeUndefined();
    expect([objects.has(markupKey(projectId, store)), rendered]).toEqual([false, []]);
  });

  test('of a large text its beginning is read, and the file is stored whole', async () => {
    const text = 'a line\n'.repeat(400_000);
    const { rendered, objects } = await stored('document', { 'a.txt': text });
    expect(rendered[0]?.bytes.length).toBe(shownTextBytes);
    expect(rendered[0]?.isWhole).toBe(false);
    const sizes = [...objects.values()].map(({ bytes }) => bytes.length);
    expect(Math.max(...sizes)).toBe(text.length);
  });

  test('a version that leaves the history takes it along', async () => {
    const dropped = aVersion({
      store,
      home: null,
      manifest: Buffer.from(encodeManifest(aManifest('a.ts'))),
      markupRevision,
    });
    const deleted: string[] = [];
    await removeDropped(
      {
        projects: {
          versions: async () => [],
          dropped: async () => dropped,
          endDrop: async () => undefined,
        },
        content: {
          get: async () => undefined,
          deleteKeys: async (keys: readonly string[]) => void deleted.push(...keys),
        },
      },
      projectId,
      1,
    );
    expect(deleted).toContain(markupKey(projectId, store));
  });
});

/** A change of it needs another `markupRevision`, or pages go on showing what was kept before. */
test('the markup of revision 1 is this', () => {
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
  ];
  const made = samples.map(([path, type, text]) =>
    textMarkup({ path, type, bytes: Buffer.from(text), isWhole: true }),
  );
  const digest = createHash('sha256').update(JSON.stringify(made)).digest('hex').slice(0, 16);
  expect([markupRevision, digest]).toEqual([1, 'c893e3ad66cfd05b']);
});
