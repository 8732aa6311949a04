import { beforeAll, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { get, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask } from '../../fixtures/clouds/client.ts';
import { proofSize } from '../../fixtures/proof-size.ts';
import { ended, publishUpload, sent } from '../../fixtures/uploads/uploads.ts';

const count = proofSize({ short: 300, whole: 2000 });
const countText = count.toLocaleString('en');
let apiKey = '';
const files: Record<string, string> = { 'index.html': `<h1>${count}</h1>` };
beforeAll(async () => {
  apiKey = await signIn();
  for (let at = 1; at < count; at += 1) files[`pages/${at % 40}/${at}.txt`] = `${at} `.repeat(200);
});

async function aZip(): Promise<Buffer> {
  const zip = new JSZip();
  for (const [path, body] of Object.entries(files)) zip.file(path, body);
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
}

/** Every file as visitors get it that is not what was uploaded. */
async function wrongFiles(url: string): Promise<string[]> {
  const wrong: string[] = [];
  const left = Object.entries(files);
  const visit = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [path, body] = next;
      const answer = await ask(`${url}/${path === 'index.html' ? '' : path}`);
      if (answer.status !== 200 || answer.text !== body) wrong.push(`${path}: ${answer.status}`);
    }
  };
  await Promise.all(Array.from({ length: 10 }, visit));
  return wrong;
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
  ['one by one', async () => files],
  ['in a ZIP', aZip],
])(
  `a site of ${countText} files that are sent %s is complete`,
  async (how, make) => {
    const uploadId = await sent(await make(), { apiKey });
    const startedAt = Date.now();
    const url = await publishedInTurns(uploadId);
    expect(await ended(uploadId, { apiKey })).toMatchObject({
      status: 'published',
      files: { done: count },
    });
    console.log(`${countText} files ${how}: published in ${(Date.now() - startedAt) / 1000} s.`);
    expect(await wrongFiles(url)).toEqual([]);
  },
  300_000,
);
