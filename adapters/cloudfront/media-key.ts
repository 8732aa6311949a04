import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { trustedGenerations } from '../../contract/environment.ts';
import {
  type GenerationChange,
  MediaKeyring,
  changeGeneration,
} from '../../core/secrets/media-keyring.ts';

/**
 * Moves the keyring in the secret to a generation. Returns by generation what must be trusted: the
 * public keys (PEM) by CloudFront, and the API keys by API Gateway.
 *
 * The secret outlives the service stack, and existing keys are reused. So links that were signed
 * just before a redeployment still work.
 * @throws KeyringMoveError
 */
export async function moveMediaKey(
  secretArn: string,
  move: GenerationChange,
  now: Date,
): Promise<ReadonlyMap<number, TrustedKeys>> {
  const client = new SecretsManagerClient({});
  const text = await currentText(client, secretArn);
  const keyring = changeGeneration(readKeyring(text, now), move, { newPrivateKey, now });
  const changed = JSON.stringify(keyring);
  if (changed !== text) {
    await client.send(new PutSecretValueCommand({ SecretId: secretArn, SecretString: changed }));
  }
  return new Map(
    trustedGenerations(keyring.generation).map((generation) => {
      const privateKey = keyring.privateKeys[generation] ?? '';
      return [generation, { publicKey: publicKeyOf(privateKey), apiKey: apiKeyOf(privateKey) }];
    }),
  );
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

/** A new secret contains random text. Secrets from before key generations contain one key. */
function readKeyring(text: string | undefined, now: Date): MediaKeyring | undefined {
  if (text?.startsWith('{"generation":') === true) return MediaKeyring.parse(JSON.parse(text));
  if (text?.startsWith('-----BEGIN PRIVATE KEY-----') !== true) return undefined;
  const movedAt = now.toISOString();
  return { generation: 1, previousGeneration: 1, movedAt, privateKeys: { 1: text } };
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

async function currentText(
  client: SecretsManagerClient,
  secretArn: string,
): Promise<string | undefined> {
  try {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretArn }));
    return SecretString;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}
