import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { get, signIn } from '../../fixtures/accounts/accounts.ts';
import { called, callTool } from '../../fixtures/agents/mcp.ts';
import { buildZip } from '../../fixtures/archives/zip-builder.ts';
import { ask, baseUrl, isLocal } from '../../fixtures/clouds/client.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;
const page = (content: string) => [{ path: 'index.html', content }];
const projectsOf = async (key: string) => (await called(key, 'list_projects')).projects;

local('a call with an idempotencyKey', () => {
  test('runs once, also when it is sent three times at once', async () => {
    const key = await signIn();
    const args = { title: 'Fair', files: page('Fair'), idempotencyKey: randomUUID() };
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => callTool(key, 'publish_site', args)),
    );
    const again = await callTool(key, 'publish_site', args);
    for (const answer of answers) expect(answer).toEqual(again);
    expect(await projectsOf(key)).toHaveLength(1);
    const other = await called(await signIn(), 'publish_site', args);
    expect(other.projectId).not.toBe(again.structuredContent.projectId);
  });

  test('with another input is refused, with the way out', async () => {
    const key = await signIn();
    const idempotencyKey = randomUUID();
    await called(key, 'publish_site', { files: page('A'), idempotencyKey });
    const { isError, content } = await callTool(key, 'publish_site', {
      files: page('B'),
      idempotencyKey,
    });
    expect(isError).toBe(true);
    expect(content[0].text).toContain('"code":"IDEMPOTENCY_CONFLICT"');
    expect(content[0].text).toContain('Next: Use a new `idempotencyKey` for each new call.');
    expect(await projectsOf(key)).toHaveLength(1);
  });

  test('that was refused does not use up its key', async () => {
    const key = await signIn();
    const args = { files: page('A'), access: 'password', idempotencyKey: randomUUID() };
    expect((await callTool(key, 'publish_site', args)).isError).toBe(true);
    await called(key, 'publish_site', { ...args, password: 'calm-harbour-42' });
  });

  test('makes one draft', async () => {
    const key = await signIn();
    const { projectId } = await called(key, 'publish_site', { files: page('A') });
    const edit = { projectId, files: page('B'), draft: true, idempotencyKey: randomUUID() };
    const first = await called(key, 'update_project_files', edit);
    expect(await called(key, 'update_project_files', edit)).toEqual(first);
    const { versions } = await called(key, 'get_project', { projectId });
    expect(versions.map(({ version }: { version: number }) => version)).toEqual([2, 1]);
  });
});

/** A client of 2026-07-28 whose person answers every question like this; the questions they saw. */
async function asking(apiKey: string, answer: object) {
  const client = new Client(
    { name: 'slipway-tests', version: '1.0.0' },
    {
      versionNegotiation: { mode: { pin: '2026-07-28' } },
      capabilities: { elicitation: { form: {} } },
    },
  );
  const seen: any[] = [];
  client.setRequestHandler('elicitation/create', ({ params }) => {
    seen.push(params);
    return answer as { action: 'decline' };
  });
  const headers = { authorization: `Bearer ${apiKey}` };
  const url = new URL(`${baseUrl}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  const use = async (name: string, args: Record<string, unknown>): Promise<any> =>
    client.callTool({ name, arguments: args });
  return { use, seen, close: () => client.close() };
}

local('a client that can ask its user', () => {
  test('confirms a deletion, and nothing is deleted without it', async () => {
    const key = await signIn();
    const { projectId, url } = await called(key, 'publish_site', {
      title: 'Spring fair',
      files: page('A'),
    });
    for (const answer of [
      { action: 'decline' },
      { action: 'cancel' },
      { action: 'accept', content: { confirmed: false } },
    ]) {
      const { use, seen, close } = await asking(key, answer);
      const { isError, content } = await use('delete_project', { projectId });
      expect([isError, seen.length]).toEqual([true, 1]);
      expect(seen[0].message).toContain(`"Spring fair" at ${url}`);
      expect(content[0].text).toContain('Nothing was deleted.');
      await close();
    }
    expect((await get(`/v1/projects/${projectId}`, key)).status).toBe(200);
    const { use, close } = await asking(key, { action: 'accept', content: { confirmed: true } });
    const { structuredContent } = await use('delete_project', { projectId });
    expect(structuredContent).toEqual({ deleted: true, projectId });
    await close();
    expect((await get(`/v1/projects/${projectId}`, key)).status).toBe(404);
  });

  test('chooses the home page of a ZIP with several, once and under one key', async () => {
    const key = await signIn();
    const zip = buildZip({
      entries: [
        { name: 'a.html', content: 'First' },
        { name: 'b.html', content: 'Second' },
      ],
    });
    const args = {
      zipBase64: Buffer.from(zip).toString('base64'),
      idempotencyKey: randomUUID(),
    };
    const choosing = await asking(key, { action: 'accept', content: { path: 'b.html' } });
    const { structuredContent } = await choosing.use('publish_site', args);
    expect(choosing.seen).toHaveLength(1);
    expect(choosing.seen[0].requestedSchema.properties.path.enum).toEqual(['a.html', 'b.html']);
    expect((await ask(structuredContent.url)).text).toContain('Second');
    await choosing.close();

    const refusing = await asking(key, { action: 'decline' });
    const { isError, content } = await refusing.use('publish_site', { zipBase64: args.zipBase64 });
    expect([isError, content[0].text]).toEqual([true, expect.stringContaining('zipIndexHtmlPath')]);
    await refusing.close();
    expect(await projectsOf(key)).toHaveLength(1);
  });
});
