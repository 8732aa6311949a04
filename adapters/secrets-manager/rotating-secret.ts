import type { SecretValues } from '../../core/secrets/live-secret.ts';
import { AwsRefusal, type SignedCalls } from '../signed-calls/signed-calls.ts';
import { signedSecrets } from '../signed-calls/signed-services.ts';

/**
 * Reads the values of a secret by their staging labels.
 *
 * The current one first: after it has been replaced, the label of the previous one names what it was.
 * Read the other way round, a rotation between the two calls would hide the value that most
 * signatures were made with.
 */
export function rotatingSecret(calls: SignedCalls, secretArn: string): () => Promise<SecretValues> {
  const read = signedSecrets(calls);
  const optional = (stage: 'AWSPREVIOUS' | 'AWSPENDING') =>
    read(secretArn, stage).catch((error: unknown) => {
      if (error instanceof AwsRefusal && error.code === 'ResourceNotFoundException')
        return undefined;
      throw error;
    });
  return async () => {
    const current = await read(secretArn, 'AWSCURRENT');
    const [previous, next] = await Promise.all([optional('AWSPREVIOUS'), optional('AWSPENDING')]);
    return { current, previous, next };
  };
}
