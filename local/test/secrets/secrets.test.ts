import { statSync } from 'node:fs';
import { join } from 'node:path';
import {
  GetSecretValueCommand,
  ListSecretsCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { afterEach, describe, expect, test } from '@jest/globals';
import { movableClock } from '../../time/clock.ts';
import { generateSecret, GenerateSecretString, startSecrets } from '../../secrets/secrets.ts';
import { anIam } from '../an-iam.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const arn = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:Stack-Key-abc123';
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function start(
  actions: string[],
  { stateDir = temporaryFolder('secrets'), properties = {} } = {},
) {
  const { iam, credentials } = anIam(actions.map((action) => `secretsmanager:${action}`));
  const resource = {
    stack: 'Stack',
    logicalId: 'Key',
    type: 'AWS::SecretsManager::Secret',
    properties,
  };
  const secrets = await startSecrets({
    stateDir,
    clock: movableClock(),
    iam,
    secrets: [{ resource, arn }],
  });
  const client = new SecretsManagerClient({
    endpoint: secrets.url,
    region: 'us-east-1',
    credentials,
    maxAttempts: 1,
  });
  ends.push(async () => {
    client.destroy();
    await secrets.close();
  });
  return { secrets, client, stateDir };
}

describe('a secret', () => {
  test('is generated once, read, replaced, and kept after a restart, readable only for its owner', async () => {
    const first = await start(['*'], {
      properties: { GenerateSecretString: { PasswordLength: 48 } },
    });
    const get = new GetSecretValueCommand({ SecretId: arn });
    const { SecretString, Name, CreatedDate } = await first.client.send(get);
    expect(SecretString).toHaveLength(48);
    expect(SecretString).toBe(first.secrets.value(arn));
    expect(Name).toBe('Stack-Key');
    expect(CreatedDate).toBeInstanceOf(Date);
    await first.client.send(
      new PutSecretValueCommand({ SecretId: 'Stack-Key', SecretString: 'new' }),
    );
    const second = await start(['*'], { stateDir: first.stateDir });
    expect(second.secrets.value(arn)).toBe('new');
    expect(second.secrets.value(arn, 'AWSPREVIOUS')).toBe(SecretString);
    expect(statSync(join(first.stateDir, 'secrets.json')).mode & 0o777).toBe(0o600);
  });

  test('has labels that move as in AWS', async () => {
    const { client } = await start(['*'], { properties: { SecretString: 'first' } });
    const value = async (VersionStage?: string) =>
      (await client.send(new GetSecretValueCommand({ SecretId: arn, VersionStage }))).SecretString;
    await expect(value('AWSPENDING')).rejects.toThrow(/staging label: AWSPENDING/);
    await expect(value('AWSPREVIOUS')).rejects.toThrow(/staging label: AWSPREVIOUS/);
    const { VersionId: first } = await client.send(new GetSecretValueCommand({ SecretId: arn }));
    const { VersionId: second } = await client.send(
      new PutSecretValueCommand({
        SecretId: arn,
        SecretString: 'second',
        VersionStages: ['AWSPENDING'],
      }),
    );
    expect([await value(), await value('AWSPENDING')]).toEqual(['first', 'second']);
    const move = (more: object) =>
      client.send(
        new UpdateSecretVersionStageCommand({
          SecretId: arn,
          VersionStage: 'AWSCURRENT',
          MoveToVersionId: second,
          ...more,
        }),
      );
    await expect(move({})).rejects.toThrow(/explicitly reference that version/);
    await expect(move({ RemoveFromVersionId: second })).rejects.toThrow(/not attached/);
    await expect(move({ MoveToVersionId: undefined })).rejects.toThrow(/has to be moved/);
    await move({ RemoveFromVersionId: first });
    expect([await value(), await value('AWSPREVIOUS')]).toEqual(['second', 'first']);
    expect(await value('AWSPENDING')).toBe('second');
    await client.send(new PutSecretValueCommand({ SecretId: arn, SecretString: 'third' }));
    expect([await value(), await value('AWSPREVIOUS')]).toEqual(['third', 'second']);
  });

  test('uses the value from the template', async () => {
    const { secrets } = await start([], { properties: { SecretString: 'given' } });
    expect(secrets.value(arn)).toBe('given');
  });

  test.each([
    [
      'reading',
      new GetSecretValueCommand({ SecretId: arn }),
      ['PutSecretValue'],
      'AccessDeniedException',
    ],
    [
      'writing',
      new PutSecretValueCommand({ SecretId: arn, SecretString: 'x' }),
      ['GetSecretValue'],
      'AccessDeniedException',
    ],
    [
      'another secret',
      new GetSecretValueCommand({ SecretId: 'other' }),
      ['*'],
      'ResourceNotFoundException',
    ],
    ['another operation', new ListSecretsCommand({}), ['*'], 'UnknownOperationException'],
  ])('refuses %s', async (_, command, actions, name) => {
    const { client } = await start(actions);
    await expect(client.send(command as GetSecretValueCommand)).rejects.toMatchObject({ name });
  });
});

describe('a generated secret', () => {
  test.each<[string, object, RegExp]>([
    ['has 32 characters by default', {}, /^[!-~]{32}$/],
    [
      'leaves out punctuation',
      { ExcludePunctuation: true, PasswordLength: 200 },
      /^[A-Za-z0-9]{200}$/,
    ],
  ])('%s', (_, options, pattern) => {
    expect(generateSecret(GenerateSecretString.parse(options))).toMatch(pattern);
  });
});
