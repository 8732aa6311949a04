import { beforeAll, expect, test } from '@jest/globals';
import { mcpResource } from '../../contract/oauth/oauth.ts';
import { oauthPaths } from '../../contract/oauth/oauth-paths.ts';
import { ask, baseUrl } from '../fixtures/clouds/client.ts';
import { Person } from '../fixtures/agents/oauth.ts';
import { keptPort } from '../fixtures/clouds/kept-port.ts';
import { needClients, runClient } from './run-client.ts';

beforeAll(needClients);

async function registered(redirectUri: string): Promise<string> {
  const answer = await ask(baseUrl + oauthPaths.register, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Conformance suite',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
    }),
  });
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 201 });
  return answer.json.client_id;
}

/** Signs in, allows, and goes where the browser is sent: to the suite's own listener. */
async function allowAt(url: string): Promise<void> {
  await fetch(await new Person().decide(url));
}

test('the conformance suite finds the metadata right, and gets a token that a person allowed', async () => {
  const port = await keptPort();
  const clientId = await registered(`http://127.0.0.1:${port}/callback`);
  let visit: Promise<unknown> | undefined;
  const run = await runClient(
    'conformance',
    [
      'authorization',
      `--url=${baseUrl}`,
      `--client-id=${clientId}`,
      `--resource=${mcpResource(baseUrl)}`,
      `--port=${port}`,
    ],
    {
      onOutput: (output) => {
        const [url] = /^http\S+\/oauth\/authorize\?\S+$/m.exec(output) ?? [];
        if (url === undefined || visit !== undefined) return;
        visit = allowAt(url);
        visit.catch(() => undefined);
      },
    },
  );
  await visit;
  if (run.code !== 0) throw new Error(`conformance ended with ${run.code}:\n${run.output}`);
  expect(visit).toBeDefined();
  expect(run.output).toMatch(/authorization-code-grant: 1 passed, 0 failed/);
  expect(run.output).not.toMatch(/[1-9]\d* (?:failed|warnings)/);
});
