import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { fixedSecret } from '../../../fixtures/fixed-secret.ts';
import { markupKey } from '../../../../core/content/content-keys.ts';
import { contentMemory } from '../../../../core/visit/content-memory.ts';
import { encodeManifest } from '../../../../core/visit/manifest.ts';
import { encodeMarkup, markupRevision } from '../../../../core/visit/text-markup.ts';
import { answerVisit } from '../../../../lambdas/visits/gate.ts';
import { sendResponse, sentBodies } from '../../../../lambdas/visits/send-response.ts';
import { maxPayloadBytes } from '../../../../local/lambda/invoke-result.ts';
import {
  aSite,
  aVisit,
  noLinks,
  noVisitors,
  noRoots,
  now,
  someAddresses,
} from '../../../fixtures/visits/a-site.ts';
import { viewerDeps } from '../../../fixtures/visits/viewers.ts';

const megabytes = 1024 * 1024;

/** Almost as large as a notebook may be: texts, code, outputs of letters with three bytes each, pictures. */
function aLargeNotebook(): Buffer {
  const text = `# Part\n\n${'Some **bold** text, [a link](https://example.org/).\n\n'.repeat(60)}`;
  const texts = Array.from({ length: 600 }, () => ({ cell_type: 'markdown', source: text }));
  const code = Array.from({ length: 900 }, (_, at) => ({
    cell_type: 'code',
    source: `print(${at})\n`.repeat(40),
    outputs: [
      { output_type: 'stream', text: '潮の満ち引き\n'.repeat(100) },
      { output_type: 'display_data', data: { 'image/png': 'iVBORw0KGgoA'.repeat(300) } },
    ],
  }));
  const last = { cell_type: 'code', source: 'print("the end")', outputs: [] };
  return Buffer.from(
    JSON.stringify({ nbformat: 4, metadata: {}, cells: [...texts, ...code, last] }),
  );
}

const notebook = aLargeNotebook();
const manifest = encodeManifest(new Map([['a.ipynb', { size: notebook.length, hash: 'a1' }]]));

/** A visit of a notebook whose markup was stored by an earlier build, and what it read. */
async function view(acceptEncoding: string) {
  const site = aSite({ type: 'code', home: null, manifest, markupRevision: markupRevision - 1 });
  const read: [key: string, bytes: number][] = [];
  const content = {
    async get(key: string) {
      const isMarkup = key === markupKey(site.projectId, site.store);
      const stale = { kind: 'markdown', markup: '<b>stale</b>' } as const;
      const bytes = isMarkup ? encodeMarkup(stale) : notebook;
      read.push([isMarkup ? 'markup' : 'file', bytes.length]);
      return bytes;
    },
  };
  const deps = {
    ...viewerDeps,
    brand: 'Slipway',
    build: 'build-2',
    heads: someAddresses,
    accessSecret: fixedSecret('a secret'),
    roots: noRoots,
    shareLinks: noLinks,
    visitors: noVisitors,
    sites: { get: async () => site },
    namedPreview: async () => undefined,
    keptVersion: async () => undefined,
    contents: contentMemory(),
    bodies: sentBodies(),
    content,
  };
  const request = {
    ...aVisit(),
    urlPath: '/',
    domainId: null,
    cleared: '-',
    isWorkerScript: false,
    viewer: { method: 'GET' },
    method: 'GET',
    host: site.host,
    access: '-',
    preview: '-',
    requestId: 'request',
    address: '192.0.2.1',
    userAgent: '',
    referrer: '',
    country: '',
    acceptEncoding,
  };
  const { response } = await answerVisit(deps, request, now);
  return { read, sent: await sendResponse(deps, request, response) };
}

test.each(['', 'br'])(
  'a notebook of 8 MB with markup of an earlier revision is made anew, with Accept-Encoding “%s”',
  async (acceptEncoding) => {
    expect(notebook.length).toBeGreaterThan(7 * megabytes);
    expect(notebook.length).toBeLessThan(8 * megabytes);
    const { read, sent } = await view(acceptEncoding);
    expect(sent.statusCode).toBe(200);
    expect(sent.headers['etag']).toMatch(/^W\//);
    expect(read).toEqual([['file', notebook.length]]);
    expect(Buffer.byteLength(JSON.stringify(sent))).toBeLessThan(maxPayloadBytes);
    const html = sent.isBase64Encoded
      ? brotliDecompressSync(Buffer.from(sent.body ?? '', 'base64')).toString()
      : (sent.body ?? '');
    expect(html).not.toContain('stale');
    // Texts are set until a megabyte of them; those behind are as they were written.
    const set = html.split('<h1').length - 2;
    expect(set).toBeGreaterThan(100);
    expect(set).toBeLessThan(megabytes / 3000);
    expect(html).toContain('# Part\n\nSome **bold** text');
    expect(html).toMatch(/\d+ cells are left out, because they are too large to show here\./);
    expect(html).toContain('the end');
  },
);
