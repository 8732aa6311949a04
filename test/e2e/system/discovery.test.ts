import { describe, expect, test } from '@jest/globals';
import { catalogPaths, serverCardPaths } from '../../../contract/discovery/server-card.ts';
import { signIn } from '../../fixtures/accounts/accounts.ts';
import { postMcp, rpc } from '../../fixtures/agents/mcp.ts';
import { ask, baseUrl, isLocal } from '../../fixtures/clouds/client.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';

// An installation names pages of its own, or none.
const local = isLocal ? test : test.skip;
const browser = { accept: 'text/html,*/*;q=0.8' };

describe('a client finds the MCP server', () => {
  test.each(serverCardPaths)('%s is its card, for pages of every origin', async (path) => {
    const accept = 'application/mcp-server-card+json';
    const answer = await ask(baseUrl + path, { headers: { accept } });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/mcp-server-card+json; charset=utf-8',
      'cache-control': 'public, max-age=3600',
      'access-control-allow-origin': '*',
    });
    expect(answer.json.remotes[0].url).toBe(`${baseUrl}/mcp`);
    expect((await ask(`${baseUrl}${path}/`)).text).toBe(answer.text);
    const refused = await ask(baseUrl + path, { method: 'POST', body: '{}' });
    expect([404, 405]).toContain(refused.status);
  });

  test.each(Object.values(catalogPaths))('%s leads to the card', async (path) => {
    const answer = await ask(baseUrl + path);
    expect(answer.status).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    const [entry] = answer.json.entries;
    const card = await ask(entry.url);
    expect(card.headers['content-type']).toBe(`${entry.type}; charset=utf-8`);
  });

  local('the card says what the server says of itself, and every icon is there', async () => {
    const apiKey = await signIn();
    const card = (await ask(baseUrl + serverCardPaths[0])).json;
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    const { serverInfo } = (await postMcp(rpc('initialize', params), { apiKey })).json.result;
    for (const field of ['title', 'version', 'description', 'websiteUrl', 'icons']) {
      expect([field, serverInfo[field]]).toEqual([field, card[field]]);
    }
    const { tools } = (await postMcp(rpc('tools/list'), { apiKey })).json.result;
    const icons = [serverInfo, ...tools].flatMap((one) => one.icons);
    expect(icons).toHaveLength(2 + tools.length);
    for (const { src, mimeType = 'image/svg+xml' } of icons) {
      const { status, headers, body } = await ask(src);
      expect([src, status, headers['content-type']]).toEqual([src, 200, mimeType]);
      const start = mimeType === 'image/png' ? '\x89PNG' : '<svg ';
      expect(body.subarray(0, start.length).toString('latin1')).toBe(start);
    }
  });
});

describe('the pages about the service', () => {
  test('/connect has the address, links that add it to a client, and the steps of each client', async () => {
    const { status, text, headers } = await ask(`${baseUrl}/connect`, { headers: browser });
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain(`<code id="endpoint">${baseUrl}/mcp</code>`);
    const cursor = /cursor:\/\/[^"]*[?&](?:amp;)?config=([^"&]*)/.exec(text)?.[1] ?? '';
    expect(JSON.parse(atob(decodeURIComponent(cursor)))).toEqual({ url: `${baseUrl}/mcp` });
    for (const client of ['Claude Code', 'ChatGPT', 'Codex', 'Windsurf']) {
      expect(text).toContain(`<summary>${client}</summary>`);
    }
    expect(text).not.toContain('app.example.com');
    const posted = await ask(`${baseUrl}/connect`, { method: 'POST', headers: browser, body: 'x' });
    expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  local.each([
    ['/privacy', 'https://slipway.example/privacy', 'op_policy_uri'],
    ['/terms', 'https://slipway.example/terms', 'op_tos_uri'],
  ])(
    '%s leads to the page of the operator, which apps are told of too',
    async (path, to, field) => {
      const answer = await ask(baseUrl + path, { headers: browser });
      expect([answer.status, answer.headers.location]).toEqual([302, to]);
      const metadata = await ask(`${baseUrl}/.well-known/oauth-authorization-server`);
      expect(metadata.json[field]).toBe(to);
    },
  );

  local('/security.txt is the same document as below /.well-known', async () => {
    const [short, official] = await Promise.all([
      ask(`${baseUrl}/security.txt`),
      ask(`${baseUrl}/.well-known/security.txt`),
    ]);
    expect([short.status, short.text]).toEqual([200, official.text]);
  });

  test.each(['/icons/nothing.svg', '/mcp/nothing', '/connect/x', '/__proto__', '/icon.svg/x'])(
    '%s is not there',
    async (path) => expectRefusal(await ask(baseUrl + path), 404, 'NOT_FOUND'),
  );
});
