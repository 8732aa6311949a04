import { beforeAll, describe, expect, test } from '@jest/globals';
import { signIn } from '../../fixtures/accounts/accounts.ts';
import { called, callTool } from '../../fixtures/agents/mcp.ts';
import { piecesSource } from '../../fixtures/archives/byte-sources.ts';
import { deflatedEntry, largeZip, storedEntry } from '../../fixtures/archives/large-zip.ts';
import {
  type Answer,
  ask,
  baseUrl,
  file,
  isLocal,
  publishTo,
  somebody,
} from '../../fixtures/clouds/client.ts';
import { create, created, usage } from '../../fixtures/projects/projects.ts';
import { change, push } from '../../fixtures/projects/versions.ts';
import { aForm } from '../../fixtures/uploads/multipart.ts';
import { linked, uploadTo } from '../../fixtures/uploads/upload-links.ts';
import { ended, publishUpload, sent } from '../../fixtures/uploads/uploads.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;
/** In two parts, so that this file has no key. */
const token = ['ghp_zQWBuTSOoRi4A9spHcVY5n', 'cnsDkxkJ0mLq17'].join('');
const page = file('index.html', '<h1>Mine</h1>');
const script = `// one\nconst token = "${token}";\n`;
const leak = file('js/app.js', script);
const allow = { name: 'allowSecrets', body: 'true' };
let key = '';
beforeAll(async () => {
  if (isLocal) key = await signIn();
});

/** The refusal names the place, and nowhere the key. */
function expectRefused({ status, json, text }: Answer, path = 'js/app.js') {
  expect([status, json.code]).toEqual([409, 'SECRETS_FOUND']);
  expect(json).toMatchObject({ findings: [{ path, line: 2, kind: 'github-token' }], count: 1 });
  expect(json.nextStep).toContain('allowSecrets');
  expect(text).not.toContain(token.slice(0, 12));
}

local('files that seem to contain keys', () => {
  test('become no project, unless the caller says that they may', async () => {
    const before = await usage(key);
    expectRefused(await create(key, { files: [page, leak] }));
    expect(await usage(key)).toEqual(before);
    const { url } = await created(key, { files: [page, leak], fields: { allowSecrets: 'true' } });
    expect((await ask(`${url}/js/app.js`)).text).toBe(script);
  });

  test('are not published without an account either', async () => {
    expectRefused(await publishTo(baseUrl, [page, leak]));
    expect((await publishTo(baseUrl, [page, leak, allow])).status).toBe(200);
  });

  test('count without an account, for their bytes were stored: asking again and again has an end', async () => {
    const from = somebody();
    const codes: string[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const answer = await publishTo(baseUrl, [page, leak], from);
      codes.push(answer.json.code);
    }
    expect(codes).toEqual([...Array(3).fill('SECRETS_FOUND'), 'RATE_LIMITED']);
  });

  test('in an upload in storage: the same upload can be sent again', async () => {
    const asker = { apiKey: key };
    const uploadId = await sent({ 'index.html': '<h1>', 'js/app.js': script }, asker);
    expectRefused(await publishUpload('create', uploadId, asker));
    const fields = { allowSecrets: 'true' };
    const form = await publishUpload('create', uploadId, { ...asker, as: 'form', fields });
    expect(form.status).toBe(201);
  });

  test('become no version; what was published with a key is not asked about again', async () => {
    const { projectId, url } = await created(key);
    expectRefused(await push(key, projectId, [page, leak]));
    expectRefused(await change(key, projectId, [leak]));
    expect((await ask(`${url}/js/app.js`)).status).toBe(404);
    expect((await change(key, projectId, [leak, allow])).status).toBe(200);
    expect((await push(key, projectId, [page, leak])).status).toBe(200);
    const moved = file('js/other.js', script);
    expectRefused(await push(key, projectId, [page, moved]), 'js/other.js');
  });

  test('do not use up an upload link', async () => {
    const { uploadUrl, pageUrl } = await linked(key);
    expectRefused(await uploadTo(uploadUrl, [page, leak]));
    const byForm = (parts: Parameters<typeof aForm>[0]) => {
      const { body, contentType } = aForm(parts);
      const headers = { 'content-type': contentType };
      return ask(pageUrl, { method: 'POST', headers, body, from: somebody() });
    };
    const refused = await byForm([page, leak]);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('js/app.js, line 2');
    expect(refused.text).toContain('name="allowSecrets"');
    expect(refused.text).not.toContain(token.slice(0, 12));
    expect((await byForm([page, leak, allow])).status).toBe(200);
  });

  test('are told to agents with what to do', async () => {
    const files = [
      { path: 'index.html', content: '<h1>' },
      { path: 'js/app.js', content: script },
    ];
    const refused = await callTool(key, 'publish_site', { files });
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused)).toContain('github-token');
    expect(JSON.stringify(refused)).not.toContain(token.slice(0, 12));
    const { projectId } = await called(key, 'publish_site', { files, allowSecrets: true });
    const next = { projectId, files: [{ path: 'b.js', content: script }] };
    expect((await callTool(key, 'update_project_files', next)).isError).toBe(true);
    await called(key, 'update_project_files', { ...next, allowSecrets: true });
  });

  test('in a queued upload: it fails with the places, and nothing remains', async () => {
    const text = Buffer.from(script);
    const zeros = deflatedEntry('zeros.bin', Buffer.alloc(1024 * 1024), 17, 9);
    const entries = [storedEntry('js/app.js', text, text.length), zeros];
    const source = piecesSource(largeZip(entries));
    const zip = file('site.zip', Buffer.from(await source.read(0, source.size - 1)));
    const { uploadId, url } = await created(key, { files: [zip] });
    const { status, failure } = await ended(uploadId, { apiKey: key });
    expect([status, failure.code]).toEqual(['failed', 'SECRETS_FOUND']);
    expect(failure.findings).toEqual([{ path: 'js/app.js', line: 2, kind: 'github-token' }]);
    expect((await ask(url)).status).toBe(404);
    const again = await created(key, { files: [zip], fields: { allowSecrets: 'true' } });
    expect(await ended(again.uploadId, { apiKey: key })).toMatchObject({ status: 'published' });
  });
});
