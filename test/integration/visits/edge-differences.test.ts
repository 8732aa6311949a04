import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { anEmail, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, file } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { created } from '../../fixtures/projects/projects.ts';

/** CloudFront as its documentation does not rule out. The exact requests are those of docs/first-deploy.md. */
const cloud = new LocalCloud('--edge=signature-after-function', '--edge=no-short-ranges');
const signedLinks = 'largeFileStreams=false';
const fallbacks = [signedLinks, 'mediaLinkScope=any-prefix', 'mediaPieces=false'];
afterAll(() => cloud.remove());

const big = Buffer.alloc(5_000_000, 'v');

async function aProject(key: string): Promise<{ projectId: string; url: string }> {
  const zip = new JSZip();
  zip.file('index.html', '<h1>Home');
  zip.file('style.css', 'body{}');
  zip.file('film.mp4', big);
  const bytes = await zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
  return created(key, { files: [file('site.zip', bytes)], service: cloud.baseUrl });
}

const asPlayer = { 'sec-fetch-dest': 'video', range: 'bytes=0-' };

/** The status and the bytes of the link to the large file, and of what a media player gets. */
async function largeFile(url: string) {
  const { headers } = await ask(`${url}/film.mp4`);
  const linked = await ask(`${url}${headers.location}`);
  const played = await ask(`${url}/film.mp4`, { headers: asPlayer });
  const followed =
    played.status === 302
      ? await ask(`${url}${played.headers.location}`, { headers: asPlayer })
      : played;
  return { link: linked.status, bytes: linked.body.length, played: followed.status };
}

/** The statuses of a cached file before and after its project is deleted. */
async function deletion(key: string, { projectId, url }: { projectId: string; url: string }) {
  await ask(`${url}/style.css`);
  const cached = await ask(`${url}/style.css`);
  await sendWith(key, `${cloud.baseUrl}/v1/projects/${projectId}`, undefined, 'DELETE');
  const after = await ask(`${url}/style.css`);
  return { word: cached.headers['x-cache'], after: after.status };
}

describe('if CloudFront differs from what is expected of it', () => {
  let key = '';
  let url = '';
  beforeAll(async () => {
    await cloud.start(signedLinks);
    key = await signIn(anEmail(), cloud.baseUrl);
    ({ url } = await aProject(key));
  }, 180_000);

  test('large files and players fail, each in the way that the list says', async () => {
    expect(await largeFile(url)).toMatchObject({ link: 403, played: 503 });
  });

  test('one setting for each makes all of them work', async () => {
    await cloud.kill();
    await cloud.start(...fallbacks);
    const project = await aProject(key);
    expect(await largeFile(project.url)).toEqual({ link: 200, bytes: big.length, played: 206 });
    const link = project.url + (await ask(`${project.url}/film.mp4`)).headers.location;
    expect((await ask(link)).status).toBe(200);
    expect(await deletion(key, project)).toEqual({ word: 'Hit from cloudfront', after: 404 });
    // The deletion waited until the link had expired.
    expect((await ask(link)).status).toBe(403);
  }, 180_000);
});
