import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from '@jest/globals';
import { jobKey } from '../../../cli/job-key.ts';

let url = '';
let tokens = 0;
/** The tokens that were sent for a key, in their order. */
const exchanged: string[] = [];

/** GitHub, which signs another token each time, and an installation whose first answers are lost. */
const server = createServer((request, response) => {
  const answer = (status: number, body: object) => {
    response.writeHead(status).end(JSON.stringify(body));
  };
  if (request.url?.startsWith('/github') === true) {
    tokens += 1;
    return answer(200, { value: `token-${tokens}` });
  }
  return void text(request).then((form) => {
    const token = new URLSearchParams(form).get('subject_token') ?? '';
    const isUsed = exchanged.includes(token);
    exchanged.push(token);
    if (exchanged.length === 1) return response.destroy();
    const used = { error: 'invalid_request', error_description: 'Used.', reason: 'token_used' };
    return isUsed ? answer(400, used) : answer(200, { access_token: `key of ${token}` });
  });
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

async function keyOf(env: Record<string, string>): Promise<string | undefined> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  exchanged.length = 0;
  tokens = 0;
  const github = {
    ACTIONS_ID_TOKEN_REQUEST_URL: `${url}/github`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'x',
  };
  const { signal } = new AbortController();
  const context = { env: { SLIPWAY_PUBLISHER: 'p', ...github, ...env }, operations: {}, signal };
  return jobKey(context, url);
}

test('where the answer to a token of GitHub was lost, another token is exchanged', async () => {
  expect(await keyOf({})).toBe('key of token-2');
  expect(exchanged).toEqual(['token-1', 'token-1', 'token-2']);
});

test('where the answer to a token of GitLab was lost, the job is to run again', async () => {
  await expect(keyOf({ SLIPWAY_ID_TOKEN: 'own' })).rejects.toMatchObject({
    exitCode: 3,
    code: 'token_used',
    next: expect.stringMatching(/^Run the job again/),
  });
  expect([exchanged, tokens]).toEqual([['own', 'own'], 0]);
});
