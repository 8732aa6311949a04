import { beforeAll, describe, expect, test } from '@jest/globals';
import { checks } from '../../../bin/smoke/checks/checks.ts';
import { runSmoke } from '../../../bin/smoke/run-smoke.ts';
import { get, signIn } from '../../fixtures/accounts/accounts.ts';
import { baseUrl, isLocal } from '../../fixtures/clouds/client.ts';
import { startFaultProxy } from '../../fixtures/clouds/fault-proxy.ts';
import { faultsOfSites } from '../../fixtures/clouds/faults-of-sites.ts';
import { faultsOfTheApp } from '../../fixtures/clouds/faults-of-the-app.ts';
import { CustomerDomain } from '../../fixtures/domains/customer-domain.ts';
import { runCommand } from '../../fixtures/clouds/programs.ts';

// Codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

let key = '';
beforeAll(async () => {
  if (!isLocal) return;
  key = await signIn();
  await new CustomerDomain(baseUrl, key).serve();
});

const smoke = (...args: string[]) => runCommand(runSmoke, args);

local('npm run smoke', () => {
  test('ticks every box on the local cloud, and leaves nothing behind', async () => {
    const { code, stdout, stderr } = await smoke('--url', baseUrl, '--api-key', key, '--json');
    const { results } = JSON.parse(stdout);
    const expected = checks.map(({ name, needs }) => [
      name,
      needs === 'https' ? 'skipped' : 'pass',
    ]);
    expect(results.map((result: any) => [result.name, result.outcome])).toEqual(expected);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect((await get('/v1/projects?archived=all', key)).json.data.projects).toEqual([]);
    expect((await get('/v1/upload-links', key)).json.data.uploadLinks).toEqual([]);
  }, 240_000);

  test('without a key skips what needs one', async () => {
    const { code, stdout } = await smoke('--url', baseUrl, '--only=favicon', '--only=password');
    expect(code).toBe(0);
    expect(stdout).toBe(
      'pass      favicon\nskipped   password: needs --api-key\n1 pass, 0 differ, 1 skipped\n',
    );
  });

  test('with a key that is refused checks nothing', async () => {
    const bad = `sw_live_${'A'.repeat(49)}`;
    const { code, stdout, stderr } = await smoke('--url', baseUrl, '--api-key', bad);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('refuses the key with HTTP 401');
  });
});

test('of a service that does not answer says so', async () => {
  const { code, stderr } = await smoke('--url', 'http://localhost:1');
  expect(code).toBe(1);
  expect(stderr).toContain('http://localhost:1 does not answer');
});

const faults = { ...faultsOfSites, ...faultsOfTheApp };
/** Signed URLs lead to the bucket, past the proxy; the local cloud has no TLS. */
const withoutProxy = ['signed-upload', 'used-upload', 'tls'];

test('each check that a proxy can disturb has a planned fault', () => {
  const names = checks.map(({ name }) => name).filter((name) => !withoutProxy.includes(name));
  expect([...new Set(Object.values(faults).map(({ check }) => check))].toSorted()).toEqual(
    names.toSorted(),
  );
});

local('npm run smoke finds a stage that', () => {
  test.each(Object.entries(faults))('%s', async (_, planned) => {
    const { check, says } = planned;
    const proxy = await startFaultProxy(baseUrl, planned.make());
    try {
      const only = `--only=${check}`;
      const { code, stdout } = await smoke('--url', proxy.url, '--api-key', key, only, '--wait=1');
      expect(stdout).toMatch(says);
      expect(code).toBe(1);
    } finally {
      await proxy.close();
    }
  });

  test('has none of these faults, through the same proxy', async () => {
    const proxy = await startFaultProxy(baseUrl, async (exchange, forward) => forward(exchange));
    try {
      const only = ['encoded-paths', 'double-cookie', 'new-file', 'mcp-challenge'];
      const options = only.map((name) => `--only=${name}`);
      const { stdout } = await smoke('--url', proxy.url, '--api-key', key, ...options);
      expect(stdout).toContain('4 pass, 0 differ, 0 skipped');
    } finally {
      await proxy.close();
    }
  });
});
