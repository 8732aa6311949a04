import { randomUUID } from 'node:crypto';
import {
  CloudFrontClient,
  CreateInvalidationForDistributionTenantCommand,
} from '@aws-sdk/client-cloudfront';
import type { EdgeCache } from '../core/ports.ts';
import { cacheTag } from '../core/visit/cache-policy.ts';

/**
 * The edge of the sites domain. Invalidates by tag (`#p-<projectId>`): paths would ignore the host.
 * @param tenantId CloudFront tenant of the sites domain; empty where none is deployed yet
 */
export function edgeCache(tenantId: string, client = new CloudFrontClient({})): EdgeCache {
  return {
    async forget(projectId) {
      if (tenantId === '') return;
      await client.send(
        new CreateInvalidationForDistributionTenantCommand({
          Id: tenantId,
          InvalidationBatch: {
            CallerReference: randomUUID(),
            Paths: { Quantity: 1, Items: [`#${cacheTag(projectId)}`] },
          },
        }),
      );
    },
  };
}
