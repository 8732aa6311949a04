import { createHash, randomUUID } from 'node:crypto';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { parseSecretPlace, type SecretPlace } from '../../contract/secret-place.ts';
import type { RotatingSecret } from '../../core/secrets/rotating-secret.ts';
import type { SecretStore } from '../../core/secrets/rotate-secret.ts';

/** The values of a secret now, for one operator command. */
export async function readRotatingSecret(
  client: SecretsManagerClient,
  placeText: string,
): Promise<RotatingSecret> {
  const place = parseSecretPlace(placeText);
  const { labels } = place;
  const current = await readVersion(client, place, labels.current);
  const others = [labels.previous, labels.next].map((label) => findVersion(client, place, label));
  const found = (await Promise.all(others)).flatMap((version) => version?.value ?? []);
  return { current: current.value, accepted: [...new Set([current.value, ...found])] };
}

/**
 * A secret in Secrets Manager. The label of the next value stays on a value that has become current, so a
 * function that reads the labels during the change always finds that value.
 */
export function secretStore(client: SecretsManagerClient, placeText: string): SecretStore {
  const place = parseSecretPlace(placeText);
  const { labels } = place;
  return {
    async labels() {
      const current = await readVersion(client, place, labels.current);
      return { current, next: await findVersion(client, place, labels.next) };
    },
    prepare: (value) => putVersion(client, place, { value, label: labels.next }),
    async promote({ from, to }) {
      // The label of the previous value moves first: functions that read in between have both values already.
      const previous = await findVersion(client, place, labels.previous);
      if (previous?.id !== from) {
        await moveLabel(client, place, { label: labels.previous, from: previous?.id, to: from });
      }
      await moveLabel(client, place, { label: labels.current, from, to });
    },
  };
}

/**
 * Gives a purpose its first value, if it has none.
 * @returns whether there was none
 */
export async function createFirstValue(
  client: SecretsManagerClient,
  placeText: string,
  newValue: () => string,
): Promise<boolean> {
  const place = parseSecretPlace(placeText);
  const label = place.labels.current;
  if ((await findVersion(client, place, label)) !== undefined) return false;
  return (await putFirstVersion(client, place, newValue())).isNew;
}

/** The value of a purpose that makes new signatures. */
export async function readCurrentValue(
  client: SecretsManagerClient,
  placeText: string,
): Promise<string> {
  const place = parseSecretPlace(placeText);
  return (await readVersion(client, place, place.labels.current)).value;
}

/**
 * Adds the first value of a purpose. CloudFormation may deliver one event twice at the same time, so the
 * token follows from the place: Secrets Manager refuses the second value, and the first one is returned.
 */
async function putFirstVersion(
  client: SecretsManagerClient,
  place: SecretPlace,
  value: string,
): Promise<{ value: string; isNew: boolean }> {
  const label = place.labels.current;
  const token = createHash('sha256').update(`${place.arn} ${label}`).digest('hex');
  try {
    await putVersion(client, place, { value, label, token });
    return { value, isNew: true };
  } catch (error) {
    if (!(error instanceof ResourceExistsException)) throw error;
    return { value: (await readVersion(client, place, label)).value, isNew: false };
  }
}

/**
 * Adds a value with one label; the value that had the label before loses it. `token` (32 to 64
 * characters) identifies the value: Secrets Manager refuses a different value with the same token.
 */
async function putVersion(
  client: SecretsManagerClient,
  { arn }: SecretPlace,
  { value, label, token = randomUUID() }: { value: string; label: string; token?: string },
): Promise<void> {
  await client.send(
    new PutSecretValueCommand({
      SecretId: arn,
      SecretString: value,
      ClientRequestToken: token,
      VersionStages: [label],
    }),
  );
}

/** The value with a label; undefined if there is none. */
async function findVersion(client: SecretsManagerClient, place: SecretPlace, label: string) {
  try {
    return await readVersion(client, place, label);
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

async function readVersion(client: SecretsManagerClient, { arn }: SecretPlace, label: string) {
  const command = new GetSecretValueCommand({ SecretId: arn, VersionStage: label });
  const { VersionId: id = '', SecretString: value = '', CreatedDate } = await client.send(command);
  return { id, value, createdAt: CreatedDate ?? new Date() };
}

async function moveLabel(
  client: SecretsManagerClient,
  { arn }: SecretPlace,
  { label, from, to }: { label: string; from: string | undefined; to: string },
): Promise<void> {
  await client.send(
    new UpdateSecretVersionStageCommand({
      SecretId: arn,
      VersionStage: label,
      RemoveFromVersionId: from,
      MoveToVersionId: to,
    }),
  );
}
