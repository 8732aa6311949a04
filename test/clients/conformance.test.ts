import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { signIn } from '../fixtures/accounts/accounts.ts';
import { baseUrl } from '../fixtures/clouds/client.ts';
import { type KeyProxy, keyProxy } from './key-proxy.ts';
import { needClients, runClient } from './run-client.ts';

let proxy: KeyProxy | undefined;

beforeAll(async () => {
  needClients();
  // The suite has no way to send a credential.
  proxy = await keyProxy(`${baseUrl}/mcp`, await signIn());
});

afterAll(() => proxy?.close());

test.each(['2025-11-25', '2026-07-28'])(
  'what protocol %s requires of a server holds, but for what the baseline names',
  async (revision) => {
    const { code, output } = await runClient('conformance', [
      'server',
      '--url',
      proxy?.url ?? '',
      '--requirements',
      revision,
      '--expected-failures',
      join(import.meta.dirname, `baseline-${revision}.yml`),
    ]);
    if (code !== 0) throw new Error(`conformance with ${revision} ended with ${code}:\n${output}`);
    expect(output).toContain('=== Running scenario: tools-list ===');
  },
  300_000,
);

test('headers that contradict the body are refused (2026-07-28), although no release requires the scenario yet', async () => {
  const { code, output } = await runClient('conformance', [
    'server',
    '--url',
    proxy?.url ?? '',
    '--scenario=http-header-validation',
    '--spec-version=2026-07-28',
  ]);
  if (code !== 0) throw new Error(`conformance ended with ${code}:\n${output}`);
  expect(output).toMatch(/Passed: 14\/14, 0 failed, 0 warnings/);
});
