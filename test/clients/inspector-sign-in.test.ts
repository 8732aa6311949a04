import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { baseUrl } from '../fixtures/clouds/client.ts';
import { Person } from '../fixtures/agents/oauth.ts';
import { keptPort } from '../fixtures/clouds/kept-port.ts';
import { needClients, type Run, runClient } from './run-client.ts';

const home = mkdtempSync(join(tmpdir(), 'slipway-inspector-'));
const person = new Person();
let callbackUrl = '';

beforeAll(async () => {
  needClients();
  callbackUrl = `http://127.0.0.1:${await keptPort()}/oauth/callback`;
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

/** The Inspector without a key; where it sends somebody to a browser, the person decides. */
async function inspect(decision: 'allow' | 'deny', ...args: string[]): Promise<Run> {
  let visit: Promise<unknown> | undefined;
  const run = await runClient(
    'mcp-inspector',
    ['--cli', `${baseUrl}/mcp`, '--transport=http', '--callback-url', callbackUrl, ...args],
    {
      home,
      env: {
        // It prints the address only where it may open a browser; this one opens nothing.
        MCP_AUTO_OPEN_ENABLED: 'true',
        BROWSER: 'true',
        MCP_INSPECTOR_SECRET_STORE: 'file',
      },
      onOutput: (output) => {
        const [, url] = /navigate to: (\S+)/.exec(output) ?? [];
        if (url === undefined || visit !== undefined) return;
        visit = goBack(url, decision);
        visit.catch(() => undefined);
      },
    },
  );
  await visit;
  return run;
}

async function goBack(url: string, decision: 'allow' | 'deny'): Promise<void> {
  await fetch(await person.decide(url, decision));
}

const connections = async () =>
  (await person.request('GET', '/v1/connections')).json.data.connections;

test('the Inspector registers, signs in, keeps its tokens, and is out once it is disconnected', async () => {
  const call = ['--method=tools/call', '--tool-name=get_account', '--format=json'];

  const refused = await inspect('deny', ...call);
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain('denied the request');

  const first = await inspect('allow', ...call);
  expect(first.stdout).toContain(person.email);
  const [connection, ...others] = await connections();
  expect(connection).toMatchObject({ clientName: 'MCP Inspector', redirectHost: '127.0.0.1' });
  expect(others).toEqual([]);

  const second = await inspect('deny', ...call, '--stored-auth-only', '--protocol-era=modern');
  expect(second.stdout).toContain(person.email);

  await person.request('DELETE', `/v1/connections/${connection.id}`);
  const third = await inspect('deny', ...call, '--stored-auth-only');
  expect(third.code).not.toBe(0);
  expect(third.output).toContain('auth_required');
});
