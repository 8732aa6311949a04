import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterEach, describe, expect, test } from '@jest/globals';
import {
  createFirstValue,
  readRotatingSecret,
  secretStore,
} from '../../adapters/secrets-manager/secret-store.ts';
import { apiKeys } from '../../adapters/secrets-manager/api-keys.ts';
import { rotatingSecret } from '../../adapters/secrets-manager/rotating-secret.ts';
import { signedCalls } from '../../adapters/signed-calls/signed-calls.ts';
import { labelsOf, secretPurposes, secretPlace } from '../../contract/secret-place.ts';
import { rotateSecret } from '../../core/secrets/rotate-secret.ts';
import { startSecrets } from '../../local/secrets/secrets.ts';
import { anIam } from '../../local/test/an-iam.ts';
import { temporaryFolder } from '../../local/test/temporary-folder.ts';
import { movableClock } from '../../local/time/clock.ts';

const arn = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:Stack-Secrets-abc123';
const shared = secretPurposes.map((purpose) => secretPlace(arn, purpose));
const [access = '', code = ''] = shared;
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A secret with a first value, and a function that may do `actions` under `conditions`. */
async function aSecret(actions = ['secretsmanager:*'], conditions?: object, stateDir?: string) {
  const { iam, credentials } = anIam(actions, conditions);
  const properties = { SecretString: 'made by CloudFormation' };
  const resource = { stack: 'S', logicalId: 'K', type: 'AWS::SecretsManager::Secret', properties };
  const dir = stateDir ?? temporaryFolder('secrets');
  const secrets = [{ resource, arn }];
  const server = await startSecrets({ stateDir: dir, clock: movableClock(), iam, secrets });
  const { url } = server;
  const region = 'us-east-1';
  const client = new SecretsManagerClient({ endpoint: url, region, credentials, maxAttempts: 1 });
  const environment = {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_SESSION_TOKEN: credentials.sessionToken,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: url,
  };
  const calls = signedCalls(environment);
  ends.push(
    () => calls.close(),
    () => client.destroy(),
    () => server.close(),
  );
  return {
    client,
    environment,
    stateDir: dir,
    read: (place: string) => rotatingSecret(calls, place)(),
  };
}

/** Lets no first read of a value return before so many have been sent: nobody knows of another's value. */
function readTogether(client: SecretsManagerClient, count: number) {
  const send = client.send.bind(client);
  const state = { reads: 0 };
  let release = () => undefined as void;
  const together = new Promise<void>((resolve) => (release = resolve));
  client.send = (async (command: never) => {
    if (!(Object(command) instanceof GetSecretValueCommand) || state.reads >= count) {
      return send(command);
    }
    state.reads += 1;
    const answer = await send(command).catch((error: unknown) => ({ error }));
    if (state.reads === count) release();
    await together;
    if ('error' in answer) throw answer.error;
    return answer;
  }) as typeof client.send;
  return state;
}

/** Both steps of a rotation. */
async function rotate(client: SecretsManagerClient, place: string, value: string) {
  const now = { at: new Date() };
  const deps = {
    store: secretStore(client, place),
    newValue: () => value,
    now: () => now.at,
  };
  const first = await rotateSecret(deps);
  now.at = new Date(now.at.getTime() + 3_600_000);
  return [first.kind, (await rotateSecret(deps)).kind];
}

test('a purpose has three values during and after rotations, and forgets the one before', async () => {
  const { client, read } = await aSecret();
  const first = 'the first value';
  await createFirstValue(client, code, () => first);
  expect(await read(code)).toEqual({ current: first, previous: undefined, next: undefined });
  expect(await rotate(client, code, 'second')).toEqual(['prepared', 'rotated']);
  expect(await read(code)).toEqual({ current: 'second', previous: first, next: 'second' });
  expect(await rotate(client, code, 'third')).toEqual(['prepared', 'rotated']);
  expect(await read(code)).toEqual({ current: 'third', previous: 'second', next: 'third' });
  const { current, accepted } = await readRotatingSecret(client, code);
  expect({ current, accepted }).toEqual({ current: 'third', accepted: ['third', 'second'] });
});

describe('purposes that share a secret', () => {
  test('get a first value once, and a rotation of one leaves the others alone', async () => {
    const { client, read } = await aSecret();
    for (const place of shared) {
      expect(await createFirstValue(client, place, () => `first of ${place}`)).toBe(true);
      expect(await createFirstValue(client, place, () => 'another')).toBe(false);
    }
    const others = () => Promise.all(shared.filter((one) => one !== code).map(read));
    const before = await others();
    expect(before.map(({ current }) => current)).toEqual(
      shared.filter((one) => one !== code).map((one) => `first of ${one}`),
    );
    for (const value of ['second', 'third', 'fourth']) await rotate(client, code, value);
    expect(await others()).toEqual(before);
  });

  test('get one first value when CloudFormation delivers its event twice at the same time', async () => {
    const { client, read } = await aSecret();
    const waiting = readTogether(client, 2);
    const created = await Promise.all(
      ['one', 'two'].map(async (value) => ({
        value,
        isNew: await createFirstValue(client, code, () => value),
      })),
    );
    expect(waiting.reads).toBe(2);
    const [winner, ...others] = created.filter(({ isNew }) => isNew);
    expect(others).toEqual([]);
    expect((await read(code)).current).toBe(winner?.value);
    expect(await createFirstValue(client, access, () => 'of another purpose')).toBe(true);
    expect((await read(code)).current).toBe(winner?.value);
  });

  test('give the keys of the API: the same at each delivery, and those of both sides of a step', async () => {
    const { client, environment } = await aSecret();
    Object.assign(process.env, environment);
    ends.push(() => {
      for (const name of Object.keys(environment)) delete process.env[name];
    });
    const keysOf = async (generation: number, before?: number) => {
      const keys = await apiKeys(secretPlace(arn, 'api'), [code], { before, generation });
      return new Map(keys.map((one) => [one.generation, one.key]));
    };
    const [one, two] = await Promise.all([keysOf(1), keysOf(1)]);
    expect(one).toEqual(two);
    expect((await readRotatingSecret(client, code)).current).toMatch(/.{20}/);
    expect([...one.keys()]).toEqual([1, 2]);
    const next = await keysOf(2, 1);
    expect([...next.keys()]).toEqual([1, 2, 3]);
    for (const [generation, key] of one) expect(next.get(generation)).toBe(key);
    expect(new Set(next.values()).size).toBe(3);
    await expect(keysOf(4, 2)).rejects.toThrow('changes by one');
  });

  test('lose no value when the command dies between the labels, and it can be repeated', async () => {
    const { client, read } = await aSecret();
    await createFirstValue(client, code, () => 'first');
    await rotate(client, code, 'second');
    const store = secretStore(client, code);
    await store.prepare('third');
    const { current, next } = await store.labels();
    if (next === undefined) throw new Error('no next value');
    // It dies after the label of the previous value.
    const send = client.send.bind(client);
    const sent: unknown[] = [];
    client.send = ((command: never) => {
      sent.push(command);
      return sent.length > 2 ? Promise.reject(new Error('killed')) : send(command);
    }) as typeof client.send;
    await expect(store.promote({ from: current.id, to: next.id })).rejects.toThrow('killed');
    client.send = send;
    expect(await read(code)).toEqual({ current: 'second', previous: 'second', next: 'third' });
    await store.promote({ from: current.id, to: next.id });
    expect(await read(code)).toEqual({ current: 'third', previous: 'second', next: 'third' });
  });

  test('are readable one by one: the policy names the labels', async () => {
    const { client, stateDir } = await aSecret();
    for (const place of shared) await createFirstValue(client, place, () => `first of ${place}`);
    const limited = await aSecret(
      ['secretsmanager:GetSecretValue'],
      {
        'ForAnyValue:StringEquals': {
          'secretsmanager:VersionStage': Object.values(labelsOf('code')),
        },
      },
      stateDir,
    );
    expect(await limited.read(code)).toMatchObject({ current: `first of ${code}` });
    await expect(limited.read(access)).rejects.toMatchObject({ code: 'AccessDeniedException' });
    const unlabelled = limited.client.send(new GetSecretValueCommand({ SecretId: arn }));
    await expect(unlabelled).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });

  test('are not rotated without the name of a purpose', async () => {
    const { client } = await aSecret();
    await expect(rotate(client, arn, 'new')).rejects.toThrow(`Add which: ${arn}#access`);
  });

  test('have names; another is refused with the ones there are', async () => {
    const { read } = await aSecret();
    expect(() => read(`${arn}#other`)).toThrow('Use one of access, code, origin, api.');
  });
});
