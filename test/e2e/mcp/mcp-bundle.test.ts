import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { tools as allTools } from '../../../contract/tools.ts';
import { mcpBundle } from '../../../scripts/build-mcpb.ts';
import { signIn } from '../../fixtures/accounts/accounts.ts';
import { baseUrl, isLocal } from '../../fixtures/clouds/client.ts';

const local = isLocal ? describe : describe.skip;
const folder = mkdtempSync(path.join(tmpdir(), 'slipway-mcpb-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Unpacks the bundle and returns the command of its manifest, as a client runs it. */
async function installed(settings: Record<string, string>) {
  const zip = await JSZip.loadAsync(await mcpBundle());
  for (const [name, entry] of Object.entries(zip.files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), await entry.async('nodebuffer'));
  }
  const manifest = JSON.parse((await zip.file('manifest.json')?.async('string')) ?? '');
  const { command, args, env } = manifest.server.mcp_config;
  const fill = (text: string) =>
    text
      .replace('${__dirname}', folder)
      .replace(/\$\{user_config\.(\w+)\}/, (_, name: string) => settings[name] ?? '');
  return {
    command,
    args: args.map(fill),
    env: Object.fromEntries(
      Object.entries(env).map(([name, value]) => [name, fill(String(value))]),
    ),
  };
}

async function connect(settings: Record<string, string>): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({ ...(await installed(settings)), stderr: 'ignore' }),
  );
  return client;
}

local('the .mcpb bundle', () => {
  test('has all tools of the server, and publishes', async () => {
    const client = await connect({ url: `${baseUrl}/`, key: await signIn() });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(allTools.map(({ name }) => name));
    const result: any = await client.callTool({
      name: 'publish_site',
      arguments: { files: [{ path: 'index.html', content: 'from a bundle' }] },
    });
    expect(result.structuredContent.url).toMatch(/^https?:/);
    await client.close();
  });

  test('says what is wrong with the key', async () => {
    await expect(connect({ url: baseUrl, key: 'sw_live_wrong' })).rejects.toThrow(/key/i);
  });
});
