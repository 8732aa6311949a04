import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { signIn } from '../../fixtures/accounts/accounts.ts';
import { ask } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';

const cloud = new LocalCloud();
beforeAll(async () => {
  await cloud.start();
}, 600_000);
afterAll(() => cloud.remove());

test('an outage is a 503 with Retry-After, after which no client discards its token', async () => {
  const authorization = `Bearer ${await signIn(undefined, cloud.baseUrl)}`;
  const engine = Number(readFileSync(join(cloud.stateDir, 'dynamodb', 'engine.pid'), 'utf8'));
  process.kill(engine, 'SIGKILL');
  const answer = await ask(`${cloud.baseUrl}/mcp`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: '{}',
  });
  expect(answer.status).toBe(503);
  expect(answer.headers['retry-after']).toBe('5');
  expect(answer.headers).not.toHaveProperty('www-authenticate');
  expect(answer.json.error.data).toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 5 });
  expect(answer.headers['access-control-allow-origin']).toBe('*');
});
