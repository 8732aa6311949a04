import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { trustedGenerations } from '../../contract/environment.ts';
import { parseSecretPlace, type SecretPlace } from '../../contract/secret-place.ts';
import {
  type GenerationChange,
  MediaKeyring,
  changeGeneration,
} from '../../core/secrets/media-keyring.ts';
import { newSecretValue } from '../../core/secrets/rotate-secret.ts';
import {
  createFirstValue,
  findVersion,
  putFirstVersion,
  putVersion,
} from '../secrets-manager/secret-store.ts';

/**
 * Moves the keyring in the secret to a generation. Returns by generation what must be trusted: the
 * public keys (PEM) by CloudFront, and the API keys by API Gateway.
 *
 * The secret outlives the service stack, and existing keys are reused. So links that were signed
 * just before a redeployment still work.
 * @throws KeyringMoveError
 */
export async function moveMediaKey(
  placeText: string,
  move: GenerationChange,
  now: Date,
): Promise<ReadonlyMap<number, TrustedKeys>> {
  const client = new SecretsManagerClient({});
  const place = parseSecretPlace(placeText);
  const text = (await findVersion(client, place, place.labels.current))?.value;
  const before = text === undefined ? undefined : MediaKeyring.parse(JSON.parse(text));
  const changed = changeGeneration(before, move, { newPrivateKey, now });
  const keyring =
    before === undefined
      ? await putFirstKeyring(client, place, changed)
      : await putKeyring(client, place, changed, text);
  return new Map(
    trustedGenerations(keyring.generation).map((generation) => {
      const privateKey = keyring.privateKeys[generation] ?? '';
      return [generation, { publicKey: publicKeyOf(privateKey), apiKey: apiKeyOf(privateKey) }];
    }),
  );
}

/** Stores the first keyring. Returns the stored one: another delivery of the same event may have been faster. */
async function putFirstKeyring(
  client: SecretsManagerClient,
  place: SecretPlace,
  keyring: MediaKeyring,
): Promise<MediaKeyring> {
  const { value } = await putFirstVersion(client, place, JSON.stringify(keyring));
  return MediaKeyring.parse(JSON.parse(value));
}

async function putKeyring(
  client: SecretsManagerClient,
  place: SecretPlace,
  keyring: MediaKeyring,
  before: string | undefined,
): Promise<MediaKeyring> {
  const value = JSON.stringify(keyring);
  if (value !== before) await putVersion(client, place, { value, label: place.labels.current });
  return keyring;
}

/** Gives purposes their first values; existing ones stay. */
export async function createFirstValues(places: readonly string[]): Promise<void> {
  const client = new SecretsManagerClient({});
  for (const place of places) await createFirstValue(client, place, newSecretValue);
}

/** One generation of the keys that identify CloudFront and the gate to each other's services. */
interface TrustedKeys {
  publicKey: string;
  /** What CloudFront sends as `x-api-key`. */
  apiKey: string;
}

/** Derived, so that it needs no storage of its own. It reveals nothing about the private key. */
function apiKeyOf(privateKey: string): string {
  return createHmac('sha256', privateKey).update('api key of the REST API').digest('base64url');
}

function newPrivateKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return privateKey;
}

function publicKeyOf(privateKey: string): string {
  return createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString();
}
