import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { anEmail, get, signIn } from '../../fixtures/accounts/accounts.ts';
import { adminCommand as admin } from '../../fixtures/accounts/admin.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';

/** Of its own, because it is also ended, gently and not. */
const cloud = new LocalCloud();
beforeAll(() => cloud.start());
afterAll(() => cloud.remove());

const onCloud = (...args: string[]) => admin(...args, '--state-dir', cloud.stateDir);

/** One line on the error output, nothing else, and exit code 1. */
function refused(reason: string | RegExp) {
  return { code: 1, stdout: '', stderr: expect.stringMatching(reason) };
}

describe('with a running local cloud', () => {
  test('shows an account, however its address is written', async () => {
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

  test('puts an account on a plan, which counts on the next request', async () => {
    const email = anEmail();
    const key = await signIn(email, cloud.baseUrl);
    const { code, stdout } = await onCloud('set-plan', email, 'agency');
    expect(code).toBe(0);
    expect(stdout).toContain('plan        agency');
    const { json } = await get('/v1/user', key, cloud.baseUrl);
    expect(json.data.plan).toMatchObject({ tier: 'agency', limits: { maxProjects: 100 } });
    expect((await onCloud('account', email)).stdout).toContain('plan        agency');
  });

  test('makes no account and no row for a stranger', async () => {
    const before = await cloud.state();
    const email = anEmail();
    const reason = `^${email} has no account.\n$`;
    expect(await onCloud('set-plan', email, 'scale')).toEqual(refused(reason));
    expect(await onCloud('account', email)).toEqual(refused(reason));
    expect((await cloud.state()).rows['accounts']).toEqual(before.rows['accounts']);
  });

  test('says in one line what is wrong with a command', async () => {
    expect(await onCloud('set-plan', anEmail(), 'gold')).toEqual(
      refused(/^gold is no plan\. Use .*\n$/),
    );
  });
});

test('help ends well', async () => {
  const { code, stdout, stderr } = await admin('--help');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('set-plan <email> <plan>');
});

test('says that no local cloud runs, also after one was killed', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'slipway-none-'));
  const own = await new LocalCloud().start();
  try {
    const command = ['account', anEmail(), '--state-dir'];
    expect(await admin(...command, empty)).toEqual(refused(/^No local cloud runs with .*\n$/));
    expect(existsSync(join(own.stateDir, 'operator.json'))).toBe(true);
    await own.kill();
    expect(await admin(...command, own.stateDir)).toEqual(
      refused(/^The local cloud does not answer\. .*\n$/),
    );
  } finally {
    await own.remove();
    rmSync(empty, { recursive: true, force: true });
  }
});
