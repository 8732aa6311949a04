import * as z from 'zod';

/** A CloudFormation custom resource request (AWS CloudFormation User Guide, "Custom resource request types"). */
export const CustomResourceRequest = z.object({
  RequestType: z.enum(['Create', 'Update', 'Delete']),
  ResponseURL: z.url(),
  StackId: z.string(),
  RequestId: z.string(),
  LogicalResourceId: z.string(),
});
export type CustomResourceRequest = z.infer<typeof CustomResourceRequest>;

/** What CloudFormation is told. */
export type CustomResourceOutcome =
  | { Status: 'SUCCESS'; NoEcho?: boolean; Data?: Record<string, unknown> }
  | { Status: 'FAILED'; Reason: string };

/** Answers CloudFormation, which waits for this PUT, up to an hour. */
export async function answerCustomResource(
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
