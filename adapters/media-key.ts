import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

/**
 * The public half (PEM) of the key that signs media links; made once and kept in the secret.
 *
 * The secret outlives the service stack, so an existing key is taken up again: links signed a
 * moment before a redeployment still open.
 */
export async function ensureMediaKey(secretArn: string): Promise<string> {
  const client = new SecretsManagerClient({});
  const existing = await currentPem(client, secretArn);
  if (existing?.includes('PRIVATE KEY')) {
    return createPublicKey(existing).export({ type: 'spki', format: 'pem' }).toString();
  }
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  await client.send(new PutSecretValueCommand({ SecretId: secretArn, SecretString: privateKey }));
  return publicKey;
}

async function currentPem(
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
