import { randomUUID } from 'node:crypto';
import {
  CloudFrontClient,
  CreateInvalidationForDistributionTenantCommand,
} from '@aws-sdk/client-cloudfront';
import { awsDeadlines } from '../failures/service-failure.ts';

let ownClient: CloudFrontClient | undefined;

/** Invalidates one path or tag of a CloudFront tenant. */
export async function sendInvalidation(
  tenantId: string,
  item: string,
  client: CloudFrontClient = (ownClient ??=
    new CloudFrontClient(awsDeadlines)),
): Promise<void> {
  const InvalidationBatch = {
    CallerReference: randomUUID(),
    Paths: { Quantity: 1, Items: [item] },
  };
  const call = { Id: tenantId, InvalidationBatch };
  await client.send(new CreateInvalidationForDistributionTenantCommand(call));
}
