import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from '@jest/globals';
import { deployedStacks } from '../../../adapters/operator/deployed-stacks.ts';
import { findRemovals } from '../../../bin/stages/run-stage.ts';
import { adminCommand } from '../../fixtures/accounts/admin.ts';
import { anEmail, post, signIn } from '../../fixtures/accounts/accounts.ts';
import { readOperatorAccess } from '../../../local/operator/operator.ts';
import { sharedCloud } from '../../fixtures/clouds/client.ts';

const { baseUrl, stateDir } = sharedCloud;

function operatorAccess() {
  const access = readOperatorAccess(stateDir);
  if (access === undefined) throw new Error('The local cloud does not run.');
  return access;
}

/** A program of `bin/`, for which the local cloud is AWS: only the SDK's own variables say so. */
async function inAws(program: string, ...args: string[]) {
  const access = operatorAccess();
  const child = spawn(process.execPath, ['--import', 'tsx', `bin/${program}.ts`, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      AWS_ACCESS_KEY_ID: access.accessKeyId,
      AWS_SECRET_ACCESS_KEY: access.secretAccessKey,
      AWS_ENDPOINT_URL_CLOUDFORMATION: access.cloudFormation.endpoint,
      AWS_ENDPOINT_URL_DYNAMODB: access.endpoint,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: access.secrets.endpoint,
    },
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, stdout, stderr };
}

let email = '';
beforeAll(async () => {
  email = anEmail();
  await signIn(email);
});

test('a command finds the tables of a stage by the outputs of its stacks', async () => {
  const shown = await inAws('admin', 'account', email, '--stage', 'default');
  expect(shown).toMatchObject({ code: 0, stderr: '' });
  expect(shown.stdout).toContain(email);
});

test('a stage that is not deployed is named, with the command that deploys it', async () => {
  const shown = await inAws('admin', 'account', email, '--stage', 'nowhere');
  expect(shown.code).toBe(1);
  expect(shown.stderr).toMatch(
    /The stack SlipwayData-nowhere does not exist .*npm run deploy -- --stage nowhere/,
  );
});

test('what a deployment would take away is found in the template that CloudFormation has', async () => {
  const { accessKeyId, secretAccessKey, cloudFormation } = operatorAccess();
  const endpoint = { url: cloudFormation.endpoint, accessKeyId, secretAccessKey };
  const stacks = deployedStacks({ region: 'us-east-1', endpoint });
  const deployed = (await stacks.template('SlipwayService')) ?? '';
  const { Resources } = JSON.parse(deployed);
  expect(findRemovals(deployed, { Resources })).toEqual([]);
  const withoutTenant = Object.entries<{ Type: string }>(Resources).filter(
    ([, { Type }]) => Type !== 'AWS::CloudFront::DistributionTenant',
  );
  expect(findRemovals(deployed, { Resources: Object.fromEntries(withoutTenant) })).toEqual([
    expect.stringMatching(/^VisitorsPlatformTenant\w*: the tenant of the sites would be removed$/),
  ]);
  expect(await stacks.template('SlipwayService-nowhere')).toBeUndefined();
});

test('npm run admin -- sign-in makes a code without a mail, which signs in once', async () => {
  const stranger = anEmail();
  const made = await inAws('admin', 'sign-in', stranger, '--stage', 'default');
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const code = /^ {2}(\d{6})$/m.exec(made.stdout)?.[1] ?? '';
  expect(made.stdout).toContain(`${baseUrl}/dashboard/sign-in`);
  const verify = () => post('/v1/auth/otp/verify', { email: stranger, code });
  expect((await verify()).json.data).toMatchObject({ apiKey: expect.stringMatching(/^sw_live_/) });
  expect((await verify()).status).toBe(401);
  const mails: any = await (await fetch(`${baseUrl}/_local/mail.json`)).json();
  expect(JSON.stringify(mails)).not.toContain(code);
});

test('sign-in honours the limits of codes: not twice in a minute', async () => {
  const admin = (...args: string[]) => adminCommand(...args, '--state-dir', stateDir);
  const stranger = anEmail();
  expect((await admin('sign-in', stranger)).stdout).toContain('signs in with this code');
  expect((await admin('sign-in', stranger)).stdout).toMatch(/a moment ago.* in \d+ seconds/);
});
