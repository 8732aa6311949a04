import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { example } from '../../../contract/examples.ts';
import { anEmail, codeSentTo } from '../../fixtures/accounts/accounts.ts';
import { ask, baseUrl, isLocal, somebody } from '../../fixtures/clouds/client.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'slipway-llms-'));
const from = somebody();
let guide: string;
beforeAll(async () => {
  const answer = await ask(`${baseUrl}/llms-full.txt`);
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  guide = answer.text;
  writeFileSync(join(folder, 'index.html'), '<h1>By the guide</h1>');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the command of the guide for an operation, other values in the place of the example's. */
async function follow(route: string, values: Record<string, string> = {}, apiKey = '') {
  const section = guide.split(`\n### ${route}\n`)[1] ?? '';
  const [, command = ''] = /```sh\n(.*)\n```/.exec(section) ?? [];
  const filled = Object.entries(values).reduce(
    (text, [was, now]) => text.replaceAll(was, now),
    command,
  );
  const script = `curl() { command curl -sS --interface ${from} "$@"; }\n${filled}`;
  const env = { ...process.env, API_KEY: apiKey };
  const { stdout } = await run('bash', ['-c', script], { cwd: folder, env });
  return JSON.parse(stdout);
}

// The code of the mail is read from the local inbox.
(isLocal ? describe : describe.skip)('an agent that has only llms-full.txt', () => {
  test('publishes, signs in, claims, lists, publishes more and deletes', async () => {
    const temporary = (await follow('POST /v1/projects/temp')).data;
    expect((await ask(temporary.url)).text).toBe('<h1>By the guide</h1>');

    const email = anEmail();
    await follow('POST /v1/auth/otp/request', { [example.email]: email });
    const digits = { [example.email]: email, '123456': await codeSentTo(email) };
    const { apiKey } = (await follow('POST /v1/auth/otp/verify', digits)).data;

    const token = { [example.claimToken]: temporary.claimToken };
    const claimed = await follow('POST /v1/projects/claim/{claimToken}', token, apiKey);
    expect(claimed.data).toMatchObject({ projectId: temporary.projectId, expiresAt: null });

    const created = (await follow('POST /v1/projects', {}, apiKey)).data;
    const { projects } = (await follow('GET /v1/projects', {}, apiKey)).data;
    const ids = projects.map(({ id }: { id: string }) => id);
    expect(ids).toEqual([created.projectId, temporary.projectId]);

    const id = { [example.projectId]: temporary.projectId };
    expect((await follow('GET /v1/projects/{projectId}', id, apiKey)).data.id).toBe(ids[1]);
    const deleted = await follow('DELETE /v1/projects/{projectId}', id, apiKey);
    expect(deleted.data).toEqual({ deleted: true });
    expect((await follow('GET /v1/user', {}, apiKey)).data.quota.projects.used).toBe(1);
  });
});
