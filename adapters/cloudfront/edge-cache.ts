import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import {
  CloudFrontClient,
  CreateInvalidationForDistributionTenantCommand,
} from '@aws-sdk/client-cloudfront';
import type { EdgeCache } from '../../core/ports.ts';
import { cacheTag } from '../../core/visit/protocol/cache-policy.ts';

/**
 * The edge of the sites domain. Invalidates by tag (`#p-<projectId>`), because an invalidation by
 * path would affect all hosts.
 * @param tenantId CloudFront tenant of the sites domain; empty if none is deployed yet
 */
export function edgeCache(tenantId: string, client = new CloudFrontClient({})): EdgeCache {
  const purge: EdgeCache['purge'] = async (projectId) => {
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
  };
  return {
    purge,
    async purgeAfterDelay(projectId, waitMs) {
      await setTimeout(waitMs);
      await purge(projectId);
    },
  };
}
