import { describe, expect, test } from '@jest/globals';
import { contentKey } from '../../../../core/content/content-keys.ts';
import { fileLocation } from '../../../../core/visit/manifest.ts';
import type { ServingRecord } from '../../../../core/visit/serving-record.ts';
import { singleFilePage } from '../../../../lambdas/visits/single-file-page.ts';
import { aSite } from '../../../fixtures/visits/a-site.ts';
import { viewerDeps } from '../../../fixtures/visits/viewers.ts';

interface PageOptions {
  size?: number;
  stored?: Uint8Array;
  site?: Partial<ServingRecord>;
}

async function shown(type: ServingRecord['type'], path: string, options: PageOptions = {}) {
  const { size = 100, stored } = options;
  const site = aSite({ type, home: null, ...options.site });
  const entry = { size, hash: 'hash-of-it' };
  const reads: { key: string; range?: unknown }[] = [];
  const content = {
    get: async (key: string, range?: unknown) => {
      reads.push({ key, range });
      return stored;
    },
  };
  const { html } = await singleFilePage({ brand: 'B', content, ...viewerDeps }, site, {
    path,
    entry,
    files: new Map([[path, entry]]),
  });
  return { html, reads, key: contentKey(site.projectId, fileLocation(site.store, path, entry)) };
}

describe('a single file', () => {
  test.each([
    ['pdf', 'a.pdf', 'class="sheets"'],
    ['image', 'a.png', 'class="picture"'],
    ['audio', 'a.mp3', '<audio'],
    ['video', 'a.mp4', '<video'],
    ['presentation', 'a.key', 'class="offer"'],
    ['document', 'a.doc', 'data-worker='],
    ['document', 'a.pages', 'class="offer"'],
  ] as const)('of type %s is shown, and not read for it', async (type, path, mark) => {
    const { html, reads } = await shown(type, path);
    expect(html).toContain(mark);
    expect(reads).toEqual([]);
  });

  test.each([
    ['code', 'a.ts', 'class="listing"'],
    ['python', 'a.py', 'class="listing"'],
    ['sql', 'a.sql', 'class="listing"'],
    ['yaml', 'a.yml', 'class="listing"'],
    ['document', 'a.txt', 'class="listing"'],
    ['markdown', 'a.md', 'class="prose"'],
    ['code', 'a.constructor', 'class="listing"'],
  ] as const)('of type %s, %s, is read once and shown', async (type, path, mark) => {
    const { html, reads, key } = await shown(type, path, { stored: Buffer.from('a = 1\n') });
    expect(html).toContain(mark);
    expect(reads).toEqual([{ key, range: undefined }]);
  });

  test('that is a table is shown as a table, or as text if it is too large', async () => {
    const stored = Buffer.from('a,b\n1,2\n');
    const table = await shown('document', 'a.csv', { stored });
    expect([table.html.includes('class="listing"'), table.reads]).toEqual([false, []]);
    const large = await shown('document', 'a.csv', { stored, size: 100 * 1024 * 1024 + 1 });
    expect([large.html.includes('class="listing"'), large.reads.length]).toEqual([true, 1]);
  });

  test('of text is read up to two megabytes', async () => {
    const { reads, html } = await shown('code', 'a.js', {
      size: 3_000_000,
      stored: Buffer.from('a\n'),
    });
    expect(reads).toMatchObject([{ range: { first: 0, last: 2 * 1024 * 1024 - 1 } }]);
    expect(html).toContain('only the beginning');
  });

  test('that is empty needs no read', async () => {
    expect((await shown('code', 'a.js', { size: 0 })).reads).toEqual([]);
  });

  test('that was removed a moment ago is offered for download, without an error', async () => {
    expect((await shown('code', 'a.js')).html).toContain('class="offer"');
  });

  test('has the owner’s title and description, and no download if the owner turned it off', async () => {
    const site = {
      pageTitle: 'Own <title>',
      metaDescription: 'Own "words"',
      disableDownloads: true,
    };
    const { html } = await shown('pdf', 'a.pdf', { site });
    expect(html).toContain('<title>Own &lt;title&gt; · B</title>');
    expect(html).toContain('<meta name="description" content="Own &quot;words&quot;">');
    expect(html).not.toContain(' download=');
  });
});
