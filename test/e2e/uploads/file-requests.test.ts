import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { get, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, baseUrl, file, isLocal, somebody } from '../../fixtures/clouds/client.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import { created, usage } from '../../fixtures/projects/projects.ts';
import { linked, sendTo, sentByLink, uploadTo } from '../../fixtures/uploads/upload-links.ts';
import { newSecretText } from '../../../core/secret-text.ts';
import { zipOf } from '../../browser/support/sample-files.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;
const week = () => new Date(Date.now() + 7 * 86_400_000).toISOString();
const named = (senderName: string) => ({ name: 'senderName', body: senderName });

let key = '';
beforeAll(async () => {
  if (isLocal) key = await signIn();
});

const listed = async (apiKey: string) =>
  (await get('/v1/upload-links', apiKey)).json.data.uploadLinks;
const senders = async (apiKey: string, id: string) =>
  (await get(`/v1/upload-links/${id}/uploads`, apiKey)).json.data.senders;

local('a file request', () => {
  test('has commands that say who sends', async () => {
    const asked = { title: 'Fair', askName: true, askEmail: true, maxUploads: 2, accept: ['.txt'] };
    const { curl, curlAnySize } = await linked(await signIn(), asked);
    const folder = mkdtempSync(join(tmpdir(), 'slipway-request-'));
    writeFileSync(join(folder, 'a.txt'), 'ahoy');
    const answers = [curl.replace('FILE', 'a.txt'), curlAnySize.replace('FILE', 'a.txt')].map(
      (command) =>
        JSON.parse(execFileSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' })),
    );
    rmSync(folder, { recursive: true });
    expect(answers.map(({ data }) => data.receipt.number)).toEqual([1, 2]);
  });

  test('gives each sender a receipt, and its owner the list; senders learn nothing of each other or of projects', async () => {
    const own = await signIn();
    const closesAt = week();
    const message = 'Please send <b>two</b> pictures.\nThank you!';
    const asked = { title: 'Fair', message, closesAt, maxUploads: 3, askName: true };
    const { uploadUrl, pageUrl, expiresAt } = await linked(own, asked);
    expect(expiresAt).toBe(closesAt);
    const sent = await uploadTo(uploadUrl, [file('boat.txt', 'ahoy'), named('Anna')]);
    expect(sent.json).toEqual({
      status: 'success',
      data: {
        receipt: {
          number: 1,
          receivedAt: expect.any(String),
          files: [{ path: 'boat.txt', size: 4 }],
          fileCount: 1,
          bytes: 4,
        },
      },
    });
    const page = await ask(pageUrl, { from: somebody() });
    expect(page.text).toContain('Please send &lt;b&gt;two&lt;/b&gt; pictures.');
    expect(page.text).not.toMatch(/Anna|boat/);
    const uploadId = await sentByLink(uploadUrl, [{ path: 'b.txt', bytes: Buffer.from('large') }]);
    const large = await sendTo(uploadUrl, 'PUT', { uploadId, senderName: 'Bo' });
    expect(large.json.data.receipt).toMatchObject({ number: 2, bytes: 5 });
    const [link] = await listed(own);
    expect(link.request).toMatchObject({ message, maxUploads: 3, received: 2, isOpen: true });
    const [second, first] = await senders(own, link.id);
    expect([first.senderName, second.senderName, first.senderEmail]).toEqual(['Anna', 'Bo', null]);
    const project = (await get(`/v1/projects/${first.projectId}`, own)).json.data;
    expect(project).toMatchObject({ title: 'Fair – Anna', access: 'private', type: 'files' });
    expect((await ask(project.url)).status).not.toBe(200);
    expectRefusal(await get(`/v1/upload-links/${link.id}/uploads`, key), 404, 'NOT_FOUND');
    const gone = await sendWith(own, `${baseUrl}/v1/upload-links/${link.id}`, undefined, 'DELETE');
    expect(gone.status).toBe(200);
    expectRefusal(await get(`/v1/upload-links/${link.id}/uploads`, own), 404, 'NOT_FOUND');
  });

  test('counts no upload that is refused', async () => {
    const own = await signIn();
    const asked = { accept: ['.txt', '.zip'], maxBytes: 1000, askName: true, askEmail: true };
    const { uploadUrl } = await linked(own, asked);
    const who = [named('Anna'), { name: 'senderEmail', body: 'anna@example.org' }];
    const small = file('a.txt', 'a');
    const bomb = await zipOf({ 'a.txt': Buffer.alloc(50_000) });
    const refused: [number, string, Parameters<typeof uploadTo>[1]][] = [
      [400, 'INVALID_REQUEST', [small, named('Anna')]],
      [400, 'INVALID_REQUEST', [small, named('A\nBcc: b@x.org'), ...who.slice(1)]],
      [400, 'FILE_TYPE_REFUSED', [file('a.exe', 'a'), ...who]],
      [400, 'INVALID_REQUEST', [file('../a.txt', 'a'), ...who]],
      [400, 'INVALID_REQUEST', [file('a\u202Ea.txt', 'a'), ...who]],
      [413, 'PAYLOAD_TOO_LARGE', [file('a.txt', 'a'.repeat(1001)), ...who]],
    ];
    for (const [status, code, parts] of refused) {
      expectRefusal(await uploadTo(uploadUrl, parts), status, code);
    }
    const unpacked = await uploadTo(uploadUrl, [{ ...file('a.zip'), body: bomb }, ...who]);
    expect([400, 413]).toContain(unpacked.status);
    const begun = await sendTo(`${uploadUrl}/uploads`, 'POST', {
      files: [{ path: 'a.txt', size: 1001 }],
    });
    expectRefusal(begun, 413, 'PAYLOAD_TOO_LARGE');
    const hostile = [file('<img src=x>.txt', 'a'), file('.env', 'KEY=1'), ...who];
    const arrived = await uploadTo(uploadUrl, hostile);
    expect(arrived.status).toBe(200);
    const { files } = arrived.json.data.receipt;
    expect(files).toEqual([{ path: '<img src=x>.txt', size: 1 }]);
    expect((await usage(own)).projects).toBe(1);
  });

  test('publishes no page: what a stranger sends is a list of files', async () => {
    const own = await signIn();
    const { uploadUrl } = await linked(own, { message: 'Send', private: false });
    const index = file('index.html', '<title>Zebedee</title><script>alert(1)</script>');
    await uploadTo(uploadUrl, [index, named('Zebedee')]);
    const [{ id }] = await listed(own);
    const [{ projectId }] = await senders(own, id);
    const project = (await get(`/v1/projects/${projectId}`, own)).json.data;
    expect(project).toMatchObject({ access: 'public', type: 'files' });
    expect(project.slug).not.toContain('zebedee');
    const page = await ask(`${project.url}/index.html`);
    expect(page.headers['content-security-policy']).toBe('sandbox');
  });

  test('collects its uploads in one project, a folder each, and tells senders nothing of it', async () => {
    const own = await signIn();
    const brief = [file('brief.txt', 'Send photos')];
    const { projectId } = await created(own, {
      fields: { title: 'Secret plan', access: 'private' },
      files: brief,
    });
    const { uploadUrl, pageUrl } = await linked(own, { into: projectId, maxUploads: 5 });
    expect((await ask(pageUrl, { from: somebody() })).text).not.toMatch(/Secret plan|replaces/);
    const twice = [file('a.txt', '1'), file('a.txt', '2'), named('Anna')];
    const sent = await uploadTo(uploadUrl, twice);
    const { files } = sent.json.data.receipt;
    expect(files.map(({ path }: { path: string }) => path)).toEqual(['a.txt', 'a (2).txt']);
    const large = ['3', '4'].map((text) => ({ path: 'b.txt', bytes: Buffer.from(text) }));
    const uploadId = await sentByLink(uploadUrl, large);
    expect((await sendTo(uploadUrl, 'PUT', { uploadId, senderName: 'Anna' })).status).toBe(200);
    const progress = (await ask(`${uploadUrl}/uploads/${uploadId}`)).json.data;
    expect(progress).toMatchObject({ status: 'published', projectId: null });
    // A number would tell that another Anna has sent something.
    const withKey = file('c.txt', newSecretText('sw_live_'));
    const refused = await uploadTo(uploadUrl, [withKey, named('Anna')]);
    expectRefusal(refused, 409, 'SECRETS_FOUND');
    expect(refused.json.findings[0].path).toBe('c.txt');
    expect(refused.text).not.toContain('Anna');
    const listing = (await get(`/v1/projects/${projectId}/files`, own)).json.data.files;
    const paths = listing.map(({ path }: { path: string }) => path.replace(/^[-\d]+ /, ''));
    expect(paths.toSorted()).toEqual([
      'Anna (2)/b (2).txt',
      'Anna (2)/b.txt',
      'Anna/a (2).txt',
      'Anna/a.txt',
      'brief.txt',
    ]);
    const [link] = await listed(own);
    expect([link.projectId, link.request.received]).toEqual([projectId, 2]);
    // The second upload took the place of the first one, so that senders push out no version of the owner.
    const { data } = (await get(`/v1/projects/${projectId}/status`, own)).json;
    expect(data.map(({ version }: { version: number }) => version)).toEqual([3, 1]);
    // A version that a share link shows stays.
    await sendWith(own, `${baseUrl}/v1/projects/${projectId}/links`, { name: 'Jury', version: 3 });
    await uploadTo(uploadUrl, [file('d.txt', '5'), named('Dora')]);
    await uploadTo(uploadUrl, [file('e.txt', '6'), named('Eve')]);
    const later = (await get(`/v1/projects/${projectId}/status`, own)).json.data;
    expect(later.map(({ version }: { version: number }) => version)).toEqual([5, 3, 1]);
    expect((await usage(own)).projects).toBe(1);
    await sendWith(own, `${baseUrl}/v1/projects/${projectId}/archive`, {});
    const late = await uploadTo(uploadUrl, [file('a.txt', '1'), named('Bo')]);
    expectRefusal(late, 404, 'UPLOAD_LINK_NOT_FOUND');
  });

  test.each([
    [{ closesAt: new Date(Date.now() + 91 * 86_400_000).toISOString() }, 'closesAt'],
    [{ closesAt: '2020-01-01T00:00:00Z' }, 'closesAt'],
    [{ maxUploads: 501 }, 'maxUploads'],
    [{ message: 'a\u202E' }, 'message'],
    [{ message: 'a', projectId: '11111111-1111-4111-8111-111111111111' }, 'projectId'],
  ])('refuses %j', async (fields, path) => {
    const answer = await sendWith(key, `${baseUrl}/v1/upload-links`, fields);
    expectRefusal(answer, 400, 'INVALID_REQUEST');
    expect(answer.json.details[0].path).toBe(path);
  });
});
