import * as z from 'zod';
import { createFirstValues, moveMediaKey } from '../../adapters/cloudfront/media-key.ts';
import { GenerationChangeError } from '../../core/secrets/media-keyring.ts';
import { type CustomResourceRequest, serveCustomResource } from '../shared/custom-resource.ts';

const MediaKeyProperties = z.object({
  SecretArn: z.string(),
  // Places that nothing else gives first values.
  OtherSecrets: z.array(z.string()),
  // CloudFormation sends numbers as text.
  Generation: z.coerce.number().int().positive(),
  PropagationSeconds: z.coerce.number().int().min(0),
});

/**
 * `Custom::MediaKey`: creates the key pairs that sign media links. Returns `PublicKeyPem<generation>`
 * for each key that CloudFront must trust, and `ApiKey<generation>` for the REST API. It also makes the first values
 * of the other purposes. Deleting the resource keeps all of them: they are in the data stack.
 */
export async function handler(event: unknown): Promise<void> {
  await serveCustomResource(event, {
    physicalId: 'media-key',
    properties: MediaKeyProperties,
    failureReason: (error) =>
      error instanceof GenerationChangeError
        ? error.message
        : 'See the log of the media-key function.',
    run: async ({ RequestType }, properties) => ({
      NoEcho: true,
      Data: RequestType === 'Delete' ? {} : await trustedKeys(RequestType, properties),
    }),
  });
}

async function trustedKeys(
  RequestType: CustomResourceRequest['RequestType'],
  properties: z.infer<typeof MediaKeyProperties>,
) {
  const { SecretArn, OtherSecrets, Generation, PropagationSeconds } = properties;
  const move = {
    generation: Generation,
    isNewStack: RequestType === 'Create',
    propagationSeconds: PropagationSeconds,
  };
  await createFirstValues(OtherSecrets);
  const keys = await moveMediaKey(SecretArn, move, new Date());
  return Object.fromEntries(
    [...keys].flatMap(([number, { publicKey, apiKey }]) => [
      [`PublicKeyPem${number}`, publicKey],
      [`ApiKey${number}`, apiKey],
    ]),
  );
}
