import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { Check } from '../check.ts';
import { expectHeader, expectJson, expectStatus, expectText, expectThat } from '../expectations.ts';
import { jsonBody } from '../http-client.ts';
import { beginUpload, publishUpload, type SmokeStage } from '../smoke-stage.ts';

const put = (body: string | Uint8Array) => ({ method: 'PUT', body });

/** What a browser asks a bucket before it sends a file from a page of the app. */
async function expectPreflight(stage: SmokeStage, url: string): Promise<void> {
  const headers = { origin: stage.baseUrl, 'access-control-request-method': 'PUT' };
  const answer = expectStatus(await stage.send(url, { method: 'OPTIONS', headers }), 200);
  expectHeader(answer, 'access-control-allow-methods', /PUT/);
}

const signedUpload: Check = {
  name: 'signed-upload',
  why: 'Large uploads fail, or exceed what was announced and paid for.',
  needs: 'key',
  async run(stage) {
    const { urls } = await beginUpload(stage, { 'a.txt': 10 });
    const [url = ''] = urls;
    await expectPreflight(stage, url);
    expectStatus(await stage.send(url, put('eleven byte')), 403);
    expectStatus(await stage.send(url, put('ten bytes!')), 200);
  },
};

const usedUpload: Check = {
  name: 'used-upload',
  why: 'Whoever has the URL can change a file after it was published.',
  needs: 'key',
  async run(stage) {
    const { uploadId, urls } = await beginUpload(stage, { 'a.txt': 10, 'empty.txt': 0 });
    const [url = '', empty = ''] = urls;
    expectStatus(await stage.send(url, put('ten bytes!')), 200);
    expectStatus(await stage.send(empty, put('')), 200);
    const { url: site } = await publishUpload(stage, uploadId);
    expectText(expectStatus(await stage.send(`${site}/a.txt`), 200), 'ten bytes!');
    expectText(expectStatus(await stage.send(url, put('ten bytes?')), 404), 'NoSuchUpload');
  },
};

const Link = z.object({
  data: z.object({ uploadUrl: z.url(), pageUrl: z.url(), expiresAt: z.string() }),
});

async function createLink(stage: SmokeStage) {
  const answer = await stage.sendWithKey('/v1/upload-links', jsonBody({ title: stage.title }));
  return expectJson(expectStatus(answer, 201), Link).data;
}

const Published = z.object({ data: z.object({ projectId: z.string(), url: z.string() }) });

/** Publishes a file by a link, as `curl -T` does. */
async function publishByLink(
  stage: SmokeStage,
  request: { path?: string; body: Uint8Array; headers?: Record<string, string> },
): Promise<string> {
  const { uploadUrl } = await createLink(stage);
  const answer = await stage.send(`${uploadUrl}${request.path ?? ''}`, {
    ...put(request.body),
    ...(request.headers !== undefined && { headers: request.headers }),
  });
  const { projectId, url } = expectJson(expectStatus(answer, 200), Published).data;
  stage.remember(projectId);
  return url.replace(/\/$/, '');
}

/** Begins as a PNG does; the rest is bytes that no text has. */
const image = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(2000)]);
const largestBody = 4_650_000;

const linkBodies: Check = {
  name: 'link-bodies',
  why: 'Files that are sent to an upload link are damaged or refused.',
  needs: 'key',
  async run(stage) {
    const site = await publishByLink(stage, { path: '/image.png', body: image });
    const served = expectStatus(await stage.send(`${site}/image.png`), 200);
    expectThat(
      served.body.equals(image),
      'the published PNG has other bytes than the uploaded one',
    );
    const latin1 = Buffer.from('café.txt').toString('latin1');
    const headers = { 'x-filename': latin1 };
    const named = await publishByLink(stage, { body: Buffer.from('x'), headers });
    expectStatus(await stage.send(`${named}/caf%C3%A9.txt`), 200);
    await publishByLink(stage, { path: '/large.bin', body: Buffer.alloc(largestBody) });
    const { uploadUrl } = await createLink(stage);
    const cross = { origin: 'https://elsewhere.example', 'access-control-request-method': 'PUT' };
    const options = { method: 'OPTIONS', headers: cross };
    expectStatus(await stage.send(`${uploadUrl}/a.txt`, options), 204);
  },
};

const Begun = z.object({ data: z.object({ parts: z.array(z.object({ url: z.url() })).min(1) }) });

const uploadPage: Check = {
  name: 'upload-page',
  why: 'People cannot send larger files with an upload link.',
  needs: 'key',
  async run(stage) {
    const { uploadUrl, pageUrl } = await createLink(stage);
    const page = expectStatus(await stage.send(pageUrl), 200);
    const policy = expectHeader(page, 'content-security-policy', /connect-src/);
    const announced = jsonBody({ files: [{ path: 'a.bin', size: 6_000_000 }] });
    const begun = expectStatus(await stage.send(`${uploadUrl}/uploads`, announced), 201);
    const [url = ''] = expectJson(begun, Begun).data.parts.map((part) => part.url);
    const sources = /connect-src ([^;]*)/.exec(policy)?.[1]?.split(' ') ?? [];
    const { origin } = new URL(url);
    expectThat(sources.includes(origin), `the page may not connect to the bucket at ${origin}`);
    await expectPreflight(stage, url);
  },
};

/** Uploads by signed URLs and by upload links. */
export const uploadChecks: readonly Check[] = [signedUpload, usedUpload, linkBodies, uploadPage];
