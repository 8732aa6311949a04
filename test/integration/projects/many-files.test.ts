import { beforeAll, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { get, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask } from '../../fixtures/clouds/client.ts';
import { change } from '../../fixtures/projects/versions.ts';
import { proofSize } from '../../fixtures/proof-size.ts';
import { ended, publishUpload, sent } from '../../fixtures/uploads/uploads.ts';

/** At full size, as many files as an upload may have. */
const count = proofSize({ short: 300, whole: 2000 });
let apiKey = '';
beforeAll(async () => {
  apiKey = await signIn();
});

type Files = Record<string, string>;

function filesOf(count: number): Files {
  const files: Files = { 'index.html': `<h1>${count}</h1>` };
  for (let at = 1; at < count; at += 1) files[`pages/${at % 40}/${at}.txt`] = `${at} `.repeat(200);
  return files;
}

async function zipOf(files: Files): Promise<Buffer> {
  const zip = new JSZip();
  for (const [path, body] of Object.entries(files)) zip.file(path, body);
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
}

/** What visitors get at a file's address that is not what was uploaded: of the first, and of some of each folder. */
async function wrongVisits(url: string, files: Files): Promise<string[]> {
  const wrong: string[] = [];
  for (const [path, body] of Object.entries(files).filter((_, at) => at % 19 === 0)) {
    const answer = await ask(`${url}/${path === 'index.html' ? '' : path}`);
    if (answer.status !== 200 || answer.text !== body) wrong.push(`${path}: ${answer.status}`);
  }
  return wrong;
}

/** Every file as visitors get it in one download, which a project without a home page offers. */
async function downloaded(url: string, projectId: string): Promise<Files> {
  const answer = await change(apiKey, projectId, [{ name: 'delete', body: 'index.html' }]);
  if (answer.status !== 200) throw new Error(answer.text);
  const { body } = await ask(`${url}/_slipway/zip`);
  const { files: entries } = await JSZip.loadAsync(body, { checkCRC32: true });
  const texts = Object.values(entries).map(async (entry) => [
    entry.name,
    await entry.async('text'),
  ]);
  return Object.fromEntries(await Promise.all(texts));
}

/** The service closes each file that was sent on its own, for which a slow machine may need several requests. */
const mostTurns = 5;

/** Publishes, and tries again after a timeout, as its error says: the request may have published all the same. */
async function publishedInTurns(uploadId: string): Promise<string> {
  for (let turn = 1; ; turn += 1) {
    const { status, json, text } = await publishUpload('create', uploadId, { apiKey });
    if (status < 300) return json.data.url;
    const isUsed = turn > 1 && json.code === 'NOT_FOUND';
    if (isUsed) {
      const { projectId } = await ended(uploadId, { apiKey });
      return (await get(`/v1/projects/${projectId}`, apiKey)).json.data.url;
    }
    if (json.code !== 'TIMEOUT' || turn === mostTurns) throw new Error(text);
  }
}

test.each([
  ['one by one', count, async (files: Files) => files],
  ['in a ZIP', count, zipOf],
] as const)(
  'all files that are sent %s are published: %i',
  async (how, count, make) => {
    const files = filesOf(count);
    const uploadId = await sent(await make(files), { apiKey });
    const startedAt = Date.now();
    const url = await publishedInTurns(uploadId);
    const { projectId, ...publication } = await ended(uploadId, { apiKey });
    expect(publication).toMatchObject({ status: 'published', files: { done: count } });
    console.log(`${count} files ${how}: published in ${(Date.now() - startedAt) / 1000} s.`);
    expect(await wrongVisits(url, files)).toEqual([]);
    const { 'index.html': _, ...pages } = files;
    const found = await downloaded(url, projectId);
    expect(Object.keys(found).toSorted()).toEqual(Object.keys(pages).toSorted());
    expect(Object.keys(pages).filter((path) => found[path] !== pages[path])).toEqual([]);
  },
  300_000,
);
