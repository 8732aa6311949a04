import * as z from 'zod';
import { moveMediaKey } from '../../adapters/cloudfront/media-key.ts';
import { GenerationChangeError } from '../../core/secrets/media-keyring.ts';
import { logger } from '../shared/logger.ts';

/** A CloudFormation custom resource request (AWS CloudFormation User Guide, "Custom resource request types"). */
const CustomResourceRequest = z.object({
  RequestType: z.enum(['Create', 'Update', 'Delete']),
  ResponseURL: z.url(),
  StackId: z.string(),
  RequestId: z.string(),
  LogicalResourceId: z.string(),
  // CloudFormation sends numbers as text.
  ResourceProperties: z.object({
    SecretArn: z.string(),
    Generation: z.coerce.number().int().positive(),
    PropagationSeconds: z.coerce.number().int().min(0),
  }),
});
type CustomResourceRequest = z.infer<typeof CustomResourceRequest>;

/**
 * `Custom::MediaKey`: creates the key pairs that sign media links. Returns `PublicKeyPem<generation>`
 * for each key that CloudFront must trust, and `ApiKey<generation>` for the REST API. Deleting the resource keeps the keys: they are in the data
 * stack.
 */
export async function handler(event: unknown): Promise<void> {
  const request = CustomResourceRequest.parse(event);
  try {
    const data = request.RequestType === 'Delete' ? {} : await trustedKeys(request);
    await answer(request, { Status: 'SUCCESS', NoEcho: true, Data: data });
  } catch (error) {
    logger.error('media key', { error: error instanceof Error ? error : String(error) });
    const reason = error instanceof GenerationChangeError ? error.message : undefined;
    const Reason = reason ?? 'See the log of the media-key function.';
    await answer(request, { Status: 'FAILED', Reason });
  }
}

async function trustedKeys({ RequestType, ResourceProperties }: CustomResourceRequest) {
  const { SecretArn, Generation, PropagationSeconds } = ResourceProperties;
  const move = {
    generation: Generation,
    isNewStack: RequestType === 'Create',
    propagationSeconds: PropagationSeconds,
  };
  const keys = await moveMediaKey(SecretArn, move, new Date());
  return Object.fromEntries(
    [...keys].flatMap(([number, { publicKey, apiKey }]) => [
      [`PublicKeyPem${number}`, publicKey],
      [`ApiKey${number}`, apiKey],
    ]),
  );
}

/** CloudFormation waits for this PUT, up to an hour. */
async function answer(request: CustomResourceRequest, outcome: Record<string, unknown>) {
  const { StackId, RequestId, LogicalResourceId, ResponseURL } = request;
  const response = await fetch(ResponseURL, {
    method: 'PUT',
    body: JSON.stringify({
      ...outcome,
      StackId,
      RequestId,
      LogicalResourceId,
      PhysicalResourceId: 'media-key',
    }),
  });
  if (!response.ok) throw new Error(`CloudFormation answered ${response.status}`);
}
