import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { anEmail, get, signIn } from '../../fixtures/accounts/accounts.ts';
import { adminCommand as admin, adminProgram } from '../../fixtures/accounts/admin.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';

/** Not the shared cloud, because this test ends it, both gently and by force. */
const cloud = new LocalCloud();
beforeAll(() => cloud.start());
afterAll(() => cloud.remove());

const onCloud = (...args: string[]) => admin(...args, '--state-dir', cloud.stateDir);

/** One line on the error output, nothing else, and exit code 1. */
function refused(reason: string | RegExp) {
  return { code: 1, stdout: '', stderr: expect.stringMatching(reason) };
}

describe('with a running local cloud', () => {
  test('shows an account for every spelling of its address', async () => {
    const email = anEmail();
    await signIn(email, cloud.baseUrl);
    const { code, stdout, stderr } = await onCloud('account', email.toUpperCase());
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const rows = stdout.trim().split('\n');
    expect(rows.map((row) => row.slice(0, 12).trim())).toEqual([
      'id',
      'email',
      'plan',
      'trial ends',
      'projects',
      'bytes',
      'created',
    ]);
    expect(stdout).toMatch(/^id {10}[0-9a-f-]{36}$/m);
    expect(stdout).toContain(`email       ${email}\nplan        free\ntrial ends  20`);
    expect(stdout).toMatch(/projects {4}0\nbytes {7}0\ncreated {5}20/);
  });

  test('changes the plan of an account, which applies to the next request', async () => {
    const email = anEmail();
    const key = await signIn(email, cloud.baseUrl);
    const { code, stdout, stderr } = await adminProgram(
      'set-plan',
      email,
      'agency',
      `--state-dir=${cloud.stateDir}`,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('plan        agency');
    const { json } = await get('/v1/user', key, cloud.baseUrl);
    expect(json.data.plan).toMatchObject({ tier: 'agency', limits: { maxProjects: 100 } });
    expect((await onCloud('account', email)).stdout).toContain('plan        agency');
  });

  test('creates no account and no row for an unknown address', async () => {
    const before = await cloud.state();
    const email = anEmail();
    const reason = `^${email} has no account.\n$`;
    expect(await onCloud('set-plan', email, 'scale')).toEqual(refused(reason));
    expect(await onCloud('account', email)).toEqual(refused(reason));
    expect((await cloud.state()).rows['accounts']).toEqual(before.rows['accounts']);
  });

  test('explains the error of a command in one line', async () => {
    expect(await onCloud('set-plan', anEmail(), 'gold')).toEqual(
      refused(/^gold is not a plan\. Use .*\n$/),
    );
    expect(await adminProgram('set-plan', anEmail(), 'gold')).toEqual(
      refused(/^gold is not a plan\. Use .*\n$/),
    );
  });
});

test('the program behaves the same: help exits with 0', async () => {
  const { code, stdout, stderr } = await adminProgram('--help');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('set-plan <email> <plan>');
});

test('explains that no local cloud is running, even after one was killed', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'slipway-none-'));
  const own = await new LocalCloud().start();
  try {
    const command = ['account', anEmail(), '--state-dir'];
    expect(await admin(...command, empty)).toEqual(
      refused(/^No local cloud is running with .*\n$/),
    );
    expect(existsSync(join(own.stateDir, 'operator.json'))).toBe(true);
    await own.kill();
    expect(await adminProgram(...command, own.stateDir)).toEqual(
      refused(/^The local cloud does not answer\. .*\n$/),
    );
  } finally {
    await own.remove();
    rmSync(empty, { recursive: true, force: true });
  }
});
