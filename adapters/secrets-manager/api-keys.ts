import { createHmac } from 'node:crypto';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { trustedGenerations } from '../../contract/environment.ts';
import { newSecretValue } from '../../core/secrets/rotate-secret.ts';
import { createFirstValue, readCurrentValue } from './secret-store.ts';

/** A change of generation during which the API would refuse CloudFront. The message is for the operator. */
export class GenerationStepError extends Error {
  override name = 'GenerationStepError';
}

/** The generation that a deployment wants, and the one before it; `undefined` in a new stack. */
export interface GenerationStep {
  before: number | undefined;
  generation: number;
}

/**
 * The keys with which CloudFront opens the REST API, of all generations that it must accept: edges change one
 * after another. They are derived from one secret value, so nothing else is stored. Gives all secrets their
 * first values.
 * @throws GenerationStepError
 */
export async function apiKeys(
  place: string,
  otherPlaces: readonly string[],
  { before, generation }: GenerationStep,
): Promise<{ generation: number; key: string }[]> {
  if (before !== undefined && Math.abs(before - generation) > 1) {
    throw new GenerationStepError(
      `apiKeyGeneration is ${before} now and changes by one in each deployment. Set it to ${before} or ${before + 1}, not ${generation}.`,
    );
  }
  const client = new SecretsManagerClient({});
  for (const one of [place, ...otherPlaces]) await createFirstValue(client, one, newSecretValue);
  const secret = await readCurrentValue(client, place);
  const keyOf = (number: number) =>
    createHmac('sha256', secret).update(`api key of the REST API ${number}`).digest('base64url');
  return trustedGenerations(generation).map((one) => ({ generation: one, key: keyOf(one) }));
}
