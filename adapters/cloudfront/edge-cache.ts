import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import {
  CloudFrontClient,
  CreateInvalidationForDistributionTenantCommand,
} from '@aws-sdk/client-cloudfront';
import type { EdgeCache } from '../../core/ports.ts';
import { cacheTag } from '../../core/visit/protocol/cache-policy.ts';

/**
 * The edge of the sites domain. Invalidates by tag (`#p-<projectId>`): paths would ignore the host.
 * @param tenantId CloudFront tenant of the sites domain; empty where none is deployed yet
 */
export function edgeCache(tenantId: string, client = new CloudFrontClient({})): EdgeCache {
  const forget: EdgeCache['forget'] = async (projectId) => {
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
    forget,
    async forgetStragglers(projectId, waitMs) {
      await setTimeout(waitMs);
      await forget(projectId);
    },
  };
}
