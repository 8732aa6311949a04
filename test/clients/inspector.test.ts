import { beforeAll, describe, expect, test } from '@jest/globals';
import { tools } from '../../contract/tools.ts';
import { signIn } from '../fixtures/accounts/accounts.ts';
import { ask, baseUrl } from '../fixtures/clouds/client.ts';
import { needClients, runClient } from './run-client.ts';

const toolNames = tools.map(({ name }) => name).toSorted();

let apiKey = '';

beforeAll(async () => {
  needClients();
  apiKey = await signIn();
});

describe.each(['legacy', 'modern'])('the Inspector, protocol era %s', (era) => {
  const inspect = async (...args: string[]) => {
    const { code, stdout, output } = await runClient('mcp-inspector', [
      '--cli',
      `${baseUrl}/mcp`,
      '--transport=http',
      '--protocol-era',
      era,
      '--stored-auth-only',
      '--quiet',
      '--format=json',
      '--header',
      `Authorization: Bearer ${apiKey}`,
      ...args,
    ]);
    if (code !== 0) throw new Error(`the Inspector ended with ${code}:\n${output}`);
    return JSON.parse(stdout).result;
  };
  const call = (name: string, input: unknown = {}) =>
    inspect(
      '--method=tools/call',
      `--tool-name=${name}`,
      '--tool-args-json',
      JSON.stringify(input),
    );

  test('lists the tools, their schemas fit for every client', async () => {
    const listed = await inspect('--method=tools/list', '--strict');
    expect(listed.tools.map(({ name }: { name: string }) => name).sort()).toEqual(toolNames);
  });

  test('publishes a site, which opens, and finds it in the list', async () => {
    const published = await call('publish_site', {
      title: 'From the Inspector',
      files: [{ path: 'index.html', content: '<h1>Harbour</h1>', encoding: 'utf8' }],
    });
    const { projectId, url } = published.structuredContent;
    expect((await ask(url)).text).toContain('<h1>Harbour</h1>');
    const { structuredContent } = await call('list_projects');
    expect(JSON.stringify(structuredContent)).toContain(projectId);
  });

  test('reads the account', async () => {
    const { structuredContent } = await call('get_account');
    expect(structuredContent).toMatchObject({ plan: { tier: 'pro' } });
  });
});

test('the Inspector is told to authenticate when its key is none', async () => {
  const { code, output } = await runClient('mcp-inspector', [
    '--cli',
    `${baseUrl}/mcp`,
    '--transport=http',
    '--stored-auth-only',
    '--format=json',
    '--method=tools/list',
  ]);
  expect(code).not.toBe(0);
  expect(output).toContain('auth_required');
});
