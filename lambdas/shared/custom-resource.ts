import * as z from 'zod';
import { logError } from './logger.ts';

/** A CloudFormation custom resource request (AWS CloudFormation User Guide, "Custom resource request types"). */
const CustomResourceRequest = z.object({
  RequestType: z.enum(['Create', 'Update', 'Delete']),
  ResponseURL: z.url(),
  StackId: z.string(),
  RequestId: z.string(),
  LogicalResourceId: z.string(),
  ResourceProperties: z.record(z.string(), z.unknown()).default({}),
  OldResourceProperties: z.record(z.string(), z.unknown()).optional(),
});
type CustomResourceRequest = z.infer<typeof CustomResourceRequest>;

interface CustomResource<T> {
  physicalId: string;
  properties: z.ZodType<T>;
  /** The reason that CloudFormation shows when the work fails. */
  failureReason(error: unknown): string;
  run(request: CustomResourceRequest, properties: T): Promise<Omit<Success, 'Status'>>;
}

/**
 * Runs the work of a custom resource and answers CloudFormation in every case, even if the
 * properties are invalid: without an answer CloudFormation waits until its time-out.
 */
export async function serveCustomResource<T>(
  event: unknown,
  resource: CustomResource<T>,
): Promise<void> {
  const { physicalId } = resource;
  const request = CustomResourceRequest.parse(event);
  try {
    const properties = resource.properties.parse(request.ResourceProperties);
    const outcome = await resource.run(request, properties);
    await answerCustomResource(request, physicalId, { Status: 'SUCCESS', ...outcome });
  } catch (error) {
    logError(physicalId, error);
    const Reason = resource.failureReason(error);
    await answerCustomResource(request, physicalId, { Status: 'FAILED', Reason });
  }
}

interface Success {
  Status: 'SUCCESS';
  NoEcho?: boolean;
  Data?: Record<string, unknown>;
}

type CustomResourceOutcome = Success | { Status: 'FAILED'; Reason: string };

/** Answers CloudFormation, which waits for this PUT. */
async function answerCustomResource(
  { StackId, RequestId, LogicalResourceId, ResponseURL }: CustomResourceRequest,
  physicalId: string,
  outcome: CustomResourceOutcome,
): Promise<void> {
  const response = await fetch(ResponseURL, {
    method: 'PUT',
    body: JSON.stringify({
      ...outcome,
      StackId,
      RequestId,
      LogicalResourceId,
      PhysicalResourceId: physicalId,
    }),
  });
  if (!response.ok) throw new Error(`CloudFormation answered ${response.status}`);
}
