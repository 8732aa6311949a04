import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tools } from '../../contract/tools.ts';
import { baseUrl } from '../fixtures/clouds/client.ts';
import { Person } from '../fixtures/agents/oauth.ts';
import { keptPort } from '../fixtures/clouds/kept-port.ts';
import { clientPath, needClients } from './run-client.ts';

const home = mkdtempSync(join(tmpdir(), 'slipway-mcp-remote-'));
const person = new Person();
let port = 0;

beforeAll(async () => {
  needClients();
  port = await keptPort();
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

/** A client that starts programs only, with mcp-remote in between; gives what `work` gives, and how often a browser was asked for. */
async function throughMcpRemote<T>(work: (client: Client) => Promise<T>) {
  const visits: Promise<void>[] = [];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [clientPath('mcp-remote'), `${baseUrl}/mcp`, String(port), '--transport', 'http-only'],
    // Its own way to a browser opens nothing; the address is printed too.
    env: { PATH: process.env['PATH'] ?? '', HOME: home, BROWSER: 'true' },
    stderr: 'pipe',
  });
  let printed = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
    const [, url] = /by visiting:\s+(\S+)\s/.exec(printed) ?? [];
    if (url === undefined || visits.length > 0) return;
    visits.push(allowAt(url));
  });
  const client = new Client({ name: 'desktop', version: '1.0.0' });
  try {
    await client.connect(transport);
    await Promise.all(visits);
    return { got: await work(client), pageVisits: visits.length };
  } catch (error) {
    throw new Error(`through mcp-remote:\n${printed}`, { cause: error });
  } finally {
    await client.close();
  }
}

async function allowAt(url: string): Promise<void> {
  await fetch(await person.decide(url));
}

test('mcp-remote signs in, calls tools for a client that starts programs only, and keeps its tokens', async () => {
  const first = await throughMcpRemote(async (client) => {
    const { tools: listed } = await client.listTools();
    return { listed, account: await client.callTool({ name: 'get_account', arguments: {} }) };
  });
  expect(first.pageVisits).toBe(1);
  expect(first.got.listed).toHaveLength(tools.length);
  expect(first.got.account.structuredContent).toMatchObject({ email: person.email });

  const second = await throughMcpRemote((client) => client.listTools());
  expect(second.pageVisits).toBe(0);
  expect(second.got.tools).toHaveLength(tools.length);
});
