import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { trustedGenerations } from '../../contract/media-key-generations.ts';
import { type KeyringMove, MediaKeyring, moveKeyring } from '../../core/secrets/media-keyring.ts';

/**
 * Moves the keyring in the secret to a generation; gives the public halves (PEM) that CloudFront is
 * to trust, by generation.
 *
 * The secret outlives the service stack, so existing keys are taken up again: links signed a
 * moment before a redeployment still open.
 * @throws KeyringMoveError
 */
export async function moveMediaKey(
  secretArn: string,
  move: KeyringMove,
  now: Date,
): Promise<ReadonlyMap<number, string>> {
  const client = new SecretsManagerClient({});
  const text = await currentText(client, secretArn);
  const keyring = moveKeyring(readKeyring(text, now), move, { newPrivateKey, now });
  const changed = JSON.stringify(keyring);
  if (changed !== text) {
    await client.send(new PutSecretValueCommand({ SecretId: secretArn, SecretString: changed }));
  }
  return new Map(
    trustedGenerations(keyring.generation).map((generation) => [
      generation,
      publicHalf(keyring.privateKeys[generation] ?? ''),
    ]),
  );
}

/** A new secret holds random text; before keys had generations it held one key. */
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

function publicHalf(privateKey: string): string {
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
