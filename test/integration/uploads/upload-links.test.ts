import { afterAll, beforeAll, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { randomBytes } from 'node:crypto';
import { anEmail, mailsTo, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { Browser } from '../../fixtures/visits/browser.ts';
import { ask, file, somebody } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { created, usage } from '../../fixtures/projects/projects.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import { linked, sendTo, sentByLink, uploadTo } from '../../fixtures/uploads/upload-links.ts';
import { history } from '../../fixtures/projects/versions.ts';

/** Not the shared cloud, because its clock is moved. */
const cloud = new LocalCloud();
beforeAll(() => cloud.start(), 180_000);
afterAll(() => cloud.remove());

const day = 24 * 3600;
const aPage = [file('index.html', '<h1>Brought</h1>')];
const aKey = () => signIn(undefined, cloud.baseUrl);
const aLink = (key: string, link = {}) => linked(key, link, cloud.baseUrl);
const counted = (key: string) => usage(key, cloud.baseUrl);
const linkRows = async () =>
  ((await cloud.state()).rows['projects'] ?? []).filter(({ pk }) => pk?.S?.startsWith('LINK#'));

test('a link expires after a day, for page and upload, and its row is removed', async () => {
  const key = await aKey();
  const { uploadUrl, pageUrl } = await aLink(key);
  await cloud.advance(day - 60);
  expect((await ask(pageUrl, { from: somebody() })).status).toBe(200);
  await cloud.advance(60);
  expectRefusal(await uploadTo(uploadUrl, aPage), 404, 'UPLOAD_LINK_NOT_FOUND');
  const page = await ask(pageUrl, { from: somebody() });
  expect([page.status, page.text.includes('This upload link has expired.')]).toEqual([404, true]);
  expect(await counted(key)).toEqual({ projects: 0, bytes: 0 });
  await cloud.advance(3 * day);
  expect(await linkRows()).toEqual([]);
});

test('on the free plan a link, even an older one, creates projects but no versions', async () => {
  const key = await aKey();
  const { projectId } = await created(key, { service: cloud.baseUrl });
  await cloud.advance(6.5 * day);
  const { uploadUrl, pageUrl } = await aLink(key, { projectId });
  await cloud.advance(0.6 * day);
  const answer = await uploadTo(uploadUrl, aPage);
  expectRefusal(answer, 403, 'FREE_TIER_RESTRICTED');
  expect(answer.json.requiredTier).toBe('starter');
  expect((await ask(pageUrl, { from: somebody() })).status).toBe(403);
  const url = `${cloud.baseUrl}/v1/upload-links`;
  expectRefusal(await sendWith(key, url, { projectId }), 403, 'FREE_TIER_RESTRICTED');
  expect((await uploadTo((await aLink(key)).uploadUrl, aPage)).status).toBe(200);
  expect((await counted(key)).projects).toBe(2);
});

test('a link ends with the key that created it, even after an upload by it has begun', async () => {
  const email = anEmail();
  const browser = await new Browser(email, cloud.baseUrl).signIn();
  const made = await browser.send('POST', '/v1/keys', { name: 'Links' });
  const { id, apiKey, key = apiKey } = made.json.data;
  const { uploadUrl, pageUrl } = await aLink(key);
  const begun = await sentByLink(uploadUrl, [{ path: 'a.txt', bytes: Buffer.from('a') }]);
  expect((await browser.send('DELETE', `/v1/keys/${id}`)).status).toBe(200);
  expectRefusal(
    await sendWith(key, `${cloud.baseUrl}/v1/upload-links`, {}),
    401,
    'API_KEY_INVALID',
  );
  expectRefusal(await uploadTo(uploadUrl, aPage), 404, 'UPLOAD_LINK_NOT_FOUND');
  const large = await sendTo(uploadUrl, 'PUT', { uploadId: begun });
  expectRefusal(large, 404, 'UPLOAD_LINK_NOT_FOUND');
  expect((await ask(pageUrl, { from: somebody() })).status).toBe(404);
});

/** Uses a link by a ZIP that a worker refuses. */
async function useInVain(uploadUrl: string, good: Buffer): Promise<void> {
  const damaged = Buffer.from(good);
  // In the middle of the one entry's bytes: its checksum tells.
  damaged.writeUInt8(damaged.readUInt8(9_000_000) ^ 1, 9_000_000);
  const uploadId = await sentByLink(uploadUrl, [{ path: 'site.zip', bytes: damaged }]);
  const answer = await sendTo(uploadUrl, 'PUT', { uploadId });
  expect(answer.status).toBe(200);
  const end = await ended(`${uploadUrl}/uploads/${uploadId}`);
  expect(end).toMatchObject({ status: 'failed', failure: { code: 'ARCHIVE_INVALID' } });
}

test('an upload that a worker refuses reopens the link', async () => {
  const key = await aKey();
  const { uploadUrl, pageUrl } = await aLink(key);
  const good = await aLargeZip();
  await useInVain(uploadUrl, good);
  expect((await ask(pageUrl, { from: somebody() })).status).toBe(200);
  const again = await sentByLink(uploadUrl, [{ path: 'site.zip', bytes: good }]);
  const { data } = (await sendTo(uploadUrl, 'PUT', { uploadId: again })).json;
  expect(await ended(`${uploadUrl}/uploads/${again}`)).toMatchObject({ status: 'published' });
  expect((await ask(`${data.url}/note.txt`)).text).toBe('note');
  expectRefusal(await uploadTo(uploadUrl, aPage), 404, 'UPLOAD_LINK_NOT_FOUND');
  expect((await counted(key)).projects).toBe(1);
});

test('of ten concurrent uploads into one project one creates a version', async () => {
  const key = await aKey();
  const { projectId } = await created(key, { service: cloud.baseUrl });
  const { uploadUrl } = await aLink(key, { projectId });
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => uploadTo(uploadUrl, [file('a.txt', `${n}`)])),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await history(key, projectId, cloud.baseUrl)).toEqual(['2 active', '1 ready']);
});

test('storage accepts uploads only from pages of the app', async () => {
  const { uploadUrl } = await aLink(await aKey());
  const begun = await sendTo(`${uploadUrl}/uploads`, 'POST', { archive: { size: 1 } });
  const { url } = begun.json.data.parts[0];
  const preflight = (origin: string, method: string) =>
    ask(url, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': method },
    });
  const own = new URL(cloud.baseUrl).origin;
  const allowed = await preflight(own, 'PUT');
  expect([allowed.status, allowed.headers['access-control-allow-origin']]).toEqual([200, own]);
  for (const [origin, method] of [
    ['https://elsewhere.example', 'PUT'],
    ['null', 'PUT'],
    [own, 'GET'],
  ] as const) {
    const refused = await preflight(origin, method);
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([
      403,
      undefined,
    ]);
  }
});

/** Over what a request publishes by itself. */
function aLargeZip(): Promise<Buffer> {
  const zip = new JSZip().file('big.bin', randomBytes(17 * 1024 * 1024)).file('note.txt', 'note');
  return zip.generateAsync({ type: 'nodebuffer', compression: 'STORE' });
}

/** The state of an upload after its worker has finished. */
async function ended(url: string): Promise<any> {
  for (;;) {
    const { data } = (await ask(url, { from: somebody() })).json;
    if (data.status !== 'publishing') return data;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

test('with `notify` the owner gets one mail once the files are live, also of a large upload; otherwise none', async () => {
  const email = anEmail();
  const key = await signIn(email, cloud.baseUrl);
  const arrived = async () => {
    await cloud.maintain();
    const mails = await mailsTo(email, cloud.baseUrl);
    return mails.flatMap(({ subject, text }) =>
      subject.startsWith('Files arrived') ? (/link. “(.*)” now has/.exec(text) ?? []).slice(1) : [],
    );
  };
  const quiet = await aLink(key, { title: 'Quiet' });
  const small = await aLink(key, { title: 'Small', notify: true });
  const refused = await uploadTo(small.uploadUrl, []);
  expect(refused.status).toBe(400);
  for (const { uploadUrl } of [quiet, small]) {
    expect((await uploadTo(uploadUrl, aPage)).status).toBe(200);
  }
  expect(await arrived()).toEqual(['Small']);
  const large = await aLink(key, { title: 'Large', notify: true });
  const zip = new JSZip();
  zip.file('index.html', '<h1>Large</h1>');
  const bytes = await zip.generateAsync({ type: 'nodebuffer' });
  const uploadId = await sentByLink(large.uploadUrl, [{ path: 'site.zip', bytes }]);
  expect((await sendTo(large.uploadUrl, 'PUT', { uploadId })).status).toBe(200);
  await ended(`${large.uploadUrl}/uploads/${uploadId}`);
  expect(await arrived()).toEqual(['Large', 'Small']);
  await cloud.advance(3600);
  expect(await arrived()).toEqual(['Large', 'Small']);
});

test('of a file request the owner gets a mail at once, then one an hour; senders who gave an address get receipts', async () => {
  const email = anEmail();
  const key = await signIn(email, cloud.baseUrl);
  const choices = { title: 'Fair', notify: true, askEmail: true, maxUploads: 9 };
  const { uploadUrl } = await aLink(key, choices);
  const send = async (senderEmail: string) => {
    const sender = { name: 'senderEmail', body: senderEmail };
    const sent = await uploadTo(uploadUrl, [file('buy-at-evil.example.txt', 'ahoy'), sender]);
    expect(sent.status).toBe(200);
  };
  const arrived = async () => {
    await cloud.maintain();
    const mails = await mailsTo(email, cloud.baseUrl);
    return mails.filter(({ subject }) => subject === 'Files arrived by your file request');
  };
  const [anna, bo] = [anEmail(), anEmail()];
  await send(anna);
  const [first] = await arrived();
  expect(first.text).toContain('1 upload arrived for “Fair”: 1 file, 4');
  const [receipt, ...others] = await mailsTo(anna, cloud.baseUrl);
  expect([receipt.subject, others]).toEqual(['Receipt number 1: your files arrived', []]);
  // Mail programs make no link of the address.
  expect(receipt.text.replaceAll('\u2060', '')).toContain(`${email} asked for them.`);
  expect(receipt.text + receipt.html).not.toMatch(/evil|Fair|upload\//);
  const uploadId = await sentByLink(uploadUrl, [{ path: 'a.zip', bytes: await aLargeZip() }]);
  const large = { uploadId, senderEmail: bo };
  expect((await sendTo(uploadUrl, 'PUT', large)).json.data.receipt.uploadId).toBe(uploadId);
  await ended(`${uploadUrl}/uploads/${uploadId}`);
  await send(anna);
  expect(await arrived()).toHaveLength(1);
  expect((await mailsTo(bo, cloud.baseUrl)).map(({ subject }) => subject)).toEqual([
    'Receipt number 2: your files arrived',
  ]);
  await cloud.advance(3600);
  const [second, ...earlier] = await arrived();
  expect(second.text).toContain('2 uploads arrived for “Fair”: 2 files, ');
  expect(second.text).toContain('now has 3 of 9 uploads');
  expect(earlier).toHaveLength(1);
  const [, stop = ''] = /^<(.+)>$/.exec(second.headers['list-unsubscribe']) ?? [];
  expect((await ask(stop, { method: 'POST', from: somebody() })).status).toBe(200);
  await send(anna);
  await cloud.advance(3600);
  expect(await arrived()).toHaveLength(2);
  expect(await mailsTo(anna, cloud.baseUrl)).toHaveLength(3);
});
