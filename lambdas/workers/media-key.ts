import * as z from 'zod';
import { createFirstValues, moveMediaKey } from '../../adapters/cloudfront/media-key.ts';
import { GenerationChangeError } from '../../core/secrets/media-keyring.ts';
import { answerCustomResource, CustomResourceRequest } from '../shared/custom-resource.ts';
import { logger } from '../shared/logger.ts';

const physicalId = 'media-key';

const MediaKeyRequest = CustomResourceRequest.extend({
  // CloudFormation sends numbers as text.
  ResourceProperties: z.object({
    SecretArn: z.string(),
    // Places that nothing else gives first values.
    OtherSecrets: z.array(z.string()),
    Generation: z.coerce.number().int().positive(),
    PropagationSeconds: z.coerce.number().int().min(0),
  }),
});
type MediaKeyRequest = z.infer<typeof MediaKeyRequest>;

/**
 * `Custom::MediaKey`: creates the key pairs that sign media links. Returns `PublicKeyPem<generation>`
 * for each key that CloudFront must trust, and `ApiKey<generation>` for the REST API. It also makes the first values
 * of the other purposes. Deleting the resource keeps all of them: they are in the data stack.
 */
export async function handler(event: unknown): Promise<void> {
  const request = MediaKeyRequest.parse(event);
  try {
    const data = request.RequestType === 'Delete' ? {} : await trustedKeys(request);
    await answerCustomResource(request, physicalId, {
      Status: 'SUCCESS',
      NoEcho: true,
      Data: data,
    });
  } catch (error) {
    logger.error('media key', { error: error instanceof Error ? error : String(error) });
    const reason = error instanceof GenerationChangeError ? error.message : undefined;
    const Reason = reason ?? 'See the log of the media-key function.';
    await answerCustomResource(request, physicalId, { Status: 'FAILED', Reason });
  }
}

async function trustedKeys({ RequestType, ResourceProperties }: MediaKeyRequest) {
  const { SecretArn, OtherSecrets, Generation, PropagationSeconds } = ResourceProperties;
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
