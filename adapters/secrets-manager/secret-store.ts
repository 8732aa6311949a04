import { randomUUID } from 'node:crypto';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import type { RotatingSecret } from '../../core/secrets/rotating-secret.ts';
import type { SecretStore } from '../../core/secrets/rotate-secret.ts';

/** The values of a secret now, for one operator command. */
export async function readRotatingSecret(
  client: SecretsManagerClient,
  secretId: string,
): Promise<RotatingSecret> {
  const read = async (stage: string) => {
    const command = new GetSecretValueCommand({ SecretId: secretId, VersionStage: stage });
    return (await client.send(command)).SecretString ?? '';
  };
  const current = await read('AWSCURRENT');
  const others = ['AWSPREVIOUS', 'AWSPENDING'].map((stage) => read(stage).catch(noValue));
  const found = (await Promise.all(others)).filter((value) => value !== undefined);
  return { current, accepted: [...new Set([current, ...found])] };
}

/** A staging label that no value has. */
function noValue(error: unknown): undefined {
  if (!(error instanceof ResourceNotFoundException)) throw error;
}

/**
 * A secret in Secrets Manager. `AWSPENDING` stays on a value that has become current, so a function
 * that reads the labels during the change always finds that value.
 */
export function secretStore(client: SecretsManagerClient, secretId: string): SecretStore {
  const read = async (stage: string) => {
    const command = new GetSecretValueCommand({ SecretId: secretId, VersionStage: stage });
    const {
      VersionId: id = '',
      SecretString: value = '',
      CreatedDate,
    } = await client.send(command);
    return { id, value, createdAt: CreatedDate ?? new Date() };
  };
  return {
    async labels() {
      const current = await read('AWSCURRENT');
      const next = await read('AWSPENDING').catch((error: unknown) => {
        if (error instanceof ResourceNotFoundException) return undefined;
        throw error;
      });
      return { current, next };
    },
    async prepare(value) {
      await client.send(
        new PutSecretValueCommand({
          SecretId: secretId,
          SecretString: value,
          ClientRequestToken: randomUUID(),
          VersionStages: ['AWSPENDING'],
        }),
      );
    },
    async promote({ from, to }) {
      await client.send(
        new UpdateSecretVersionStageCommand({
          SecretId: secretId,
          VersionStage: 'AWSCURRENT',
          RemoveFromVersionId: from,
          MoveToVersionId: to,
        }),
      );
    },
  };
}
