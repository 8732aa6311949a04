import * as z from 'zod';
import { ensureMediaKey } from '../adapters/media-key.ts';
import { logger } from './runtime/logger.ts';

/** A CloudFormation custom resource request (AWS CloudFormation User Guide, "Custom resource request types"). */
const CustomResourceRequest = z.object({
  RequestType: z.enum(['Create', 'Update', 'Delete']),
  ResponseURL: z.url(),
  StackId: z.string(),
  RequestId: z.string(),
  LogicalResourceId: z.string(),
  ResourceProperties: z.object({ SecretArn: z.string() }),
});
type CustomResourceRequest = z.infer<typeof CustomResourceRequest>;

/**
 * `Custom::MediaKey`: makes the key pair that signs media links, so that nobody has to by hand.
 * Answers with `PublicKeyPem`. The key stays when the resource goes: it lives in the data stack.
 */
export async function handler(event: unknown): Promise<void> {
  const request = CustomResourceRequest.parse(event);
  try {
    const data = request.RequestType === 'Delete' ? {} : await makeKey(request);
    await answer(request, { Status: 'SUCCESS', Data: data });
  } catch (error) {
    logger.error('media key', { error: error instanceof Error ? error : String(error) });
    await answer(request, { Status: 'FAILED', Reason: 'See the log of the media-key function.' });
  }
}

async function makeKey({ ResourceProperties }: CustomResourceRequest) {
  return { PublicKeyPem: await ensureMediaKey(ResourceProperties.SecretArn) };
}

/** CloudFormation waits for this PUT, for an hour if it never comes. */
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
