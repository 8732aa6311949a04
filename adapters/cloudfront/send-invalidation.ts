import { randomUUID } from 'node:crypto';
import {
  CloudFrontClient,
  CreateInvalidationCommand,
  CreateInvalidationForDistributionTenantCommand,
} from '@aws-sdk/client-cloudfront';
import { awsDeadlines } from '../outgoing-http/aws-deadlines.ts';

let ownClient: CloudFrontClient | undefined;

/**
 * Invalidates one path or tag.
 * @param target a CloudFront tenant's id, or `distribution/<id>`
 */
export async function sendInvalidation(
  target: string,
  item: string,
  client: CloudFrontClient = (ownClient ??=
    new CloudFrontClient(awsDeadlines)),
): Promise<void> {
  const InvalidationBatch = {
    CallerReference: randomUUID(),
    Paths: { Quantity: 1, Items: [item] },
  };
  const distribution = /^distribution\/(.+)$/.exec(target)?.[1];
  if (distribution === undefined) {
    const call = { Id: target, InvalidationBatch };
    await client.send(new CreateInvalidationForDistributionTenantCommand(call));
  } else {
    const call = { DistributionId: distribution, InvalidationBatch };
    await client.send(new CreateInvalidationCommand(call));
  }
}
