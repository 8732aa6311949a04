import * as z from 'zod';
import { tools } from '../../../contract/tools.ts';
import type { Check } from '../check.ts';
import { expectHeader, expectJson, expectStatus } from '../expectations.ts';
import { jsonBody } from '../http-client.ts';
import type { SmokeStage } from '../smoke-stage.ts';

const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

function callMcp(stage: SmokeStage, headers: Record<string, string>) {
  const request = jsonBody(listTools);
  const accept = 'application/json, text/event-stream';
  return stage.send('/mcp', { ...request, headers: { ...request.headers, accept, ...headers } });
}

const mcpChallenge: Check = {
  name: 'mcp-challenge',
  why: 'Agents do not find the sign-in: none of them can connect with OAuth.',
  async run(stage) {
    const metadata = `resource_metadata="${stage.baseUrl}/.well-known/oauth-protected-resource/mcp"`;
    const none = `Bearer ${metadata}, scope=`;
    const invalid = `Bearer error="invalid_token", ${metadata}, scope=`;
    for (const [headers, challenge] of [
      [{}, none],
      [{ authorization: 'Basic YTpi' }, none],
      [{ authorization: 'Bearer x' }, invalid],
    ] as const) {
      const answer = expectStatus(await callMcp(stage, headers), 401);
      expectHeader(answer, 'www-authenticate', startsWith(challenge));
    }
  },
};

function startsWith(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')}`);
}

const restoredChallenge: Check = {
  name: 'restored-challenge',
  why: 'Agents that lack a scope never ask for it: they see an error, or a success that is none.',
  async run(stage) {
    const answer = await stage.send('/oauth/token', {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa('nobody:nothing')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=refresh_token&refresh_token=none',
    });
    expectHeader(expectStatus(answer, 401), 'www-authenticate', startsWith('Basic realm='));
  },
};

const mcpPreflight: Check = {
  name: 'mcp-preflight',
  why: 'Agents that run in a browser cannot connect.',
  async run(stage) {
    const cross = { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' };
    for (const headers of [cross, { ...cross, 'content-type': 'text/plain' }]) {
      const answer = await stage.send('/mcp', { method: 'OPTIONS', headers });
      expectHeader(expectStatus(answer, 204), 'access-control-allow-origin', '*');
    }
  },
};

const Tools = z.object({ result: z.object({ tools: z.array(z.unknown()).length(tools.length) }) });

const mcpLargeCall: Check = {
  name: 'mcp-large-call',
  why: 'Agents cannot publish larger pages.',
  needs: 'key',
  async run(stage) {
    const accept = 'application/json, text/event-stream';
    for (const [path, padding] of [
      ['/mcp', '"\\'.repeat(990_000)],
      ['/mcp/', ''],
    ] as const) {
      const { body, headers } = jsonBody({ ...listTools, params: { _meta: { padding } } });
      const request = { method: 'POST', headers: { ...headers, accept }, body };
      expectJson(expectStatus(await stage.sendWithKey(path, request), 200), Tools);
    }
  },
};

/** What agents get. */
export const agentChecks: readonly Check[] = [
  mcpChallenge,
  restoredChallenge,
  mcpPreflight,
  mcpLargeCall,
];
