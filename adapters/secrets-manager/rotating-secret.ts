import type { SecretValues } from '../../core/secrets/cached-secret.ts';
import { AwsError, type SignedCalls } from '../signed-calls/signed-calls.ts';
import { signedSecrets } from '../signed-calls/signed-services.ts';

/**
 * Reads the values of a secret by their staging labels.
 *
 * It reads the current value first: if a rotation follows, AWSPREVIOUS labels that same value. In
 * the reverse order, a rotation between the two calls would hide the value that made most
 * signatures.
 */
export function rotatingSecret(calls: SignedCalls, secretArn: string): () => Promise<SecretValues> {
  const read = signedSecrets(calls);
  const optional = (stage: 'AWSPREVIOUS' | 'AWSPENDING') =>
    read(secretArn, stage).catch((error: unknown) => {
      if (error instanceof AwsError && error.code === 'ResourceNotFoundException') return undefined;
      throw error;
    });
  return async () => {
    const current = await read(secretArn, 'AWSCURRENT');
    const [previous, next] = await Promise.all([optional('AWSPREVIOUS'), optional('AWSPENDING')]);
    return { current, previous, next };
  };
}
