import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import {
  CloudFrontClient,
  CreateInvalidationCommand,
  CreateInvalidationForDistributionTenantCommand,
} from '@aws-sdk/client-cloudfront';
import type { EdgeCache } from '../../core/ports.ts';
import { cacheTag } from '../../core/visit/protocol/cache-policy.ts';

/**
 * The edge of the sites domain. Invalidates by tag (`#p-<projectId>`), because an invalidation by
 * path would affect all hosts.
 * @param target CloudFront tenant of the sites domain, or `distribution/<id>`; empty if nothing has to be
 * invalidated
 */
export function edgeCache(target: string, client = new CloudFrontClient({})): EdgeCache {
  const purge: EdgeCache['purge'] = async (projectId) => {
    if (target === '') return;
    const InvalidationBatch = {
      CallerReference: randomUUID(),
      Paths: { Quantity: 1, Items: [`#${cacheTag(projectId)}`] },
    };
    const distribution = /^distribution\/(.+)$/.exec(target)?.[1];
    if (distribution === undefined) {
      const call = { Id: target, InvalidationBatch };
      await client.send(new CreateInvalidationForDistributionTenantCommand(call));
    } else {
      const call = { DistributionId: distribution, InvalidationBatch };
      await client.send(new CreateInvalidationCommand(call));
    }
  };
  return {
    purge,
    async purgeAfterDelay(projectId, waitMs) {
      await setTimeout(waitMs);
      await purge(projectId);
    },
  };
}
