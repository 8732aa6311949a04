import { parseSecretPlace } from '../../contract/secret-place.ts';
import type { SecretValues } from '../../core/secrets/cached-secret.ts';
import { AwsError } from '../signed-calls/aws-error.ts';
import type { SignedCalls } from '../signed-calls/signed-calls.ts';
import { signedSecrets } from '../signed-calls/signed-services.ts';

/**
 * Reads the values of a secret by their staging labels.
 *
 * It reads the current value first: if a rotation follows, the label of the previous value moves to
 * that same value. In the reverse order, a rotation between the two calls would hide the value that
 * made most signatures.
 */
export function rotatingSecret(calls: SignedCalls, place: string): () => Promise<SecretValues> {
  const { arn, labels } = parseSecretPlace(place);
  const read = signedSecrets(calls);
  const optional = (label: string) =>
    read(arn, label).catch((error: unknown) => {
      if (error instanceof AwsError && error.code === 'ResourceNotFoundException') return undefined;
      throw error;
    });
  return async () => {
    const current = await read(arn, labels.current);
    const [previous, next] = await Promise.all([optional(labels.previous), optional(labels.next)]);
    return { current, previous, next };
  };
}
