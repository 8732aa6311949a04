import { setTimeout } from 'node:timers/promises';
import type { CloudFrontClient } from '@aws-sdk/client-cloudfront';
import type { EdgeCache } from '../../core/ports.ts';
import { type PurgeRows, purgingOnce } from '../../core/projects/removal/purge-once.ts';
import { cacheTag } from '../../core/visit/protocol/cache-policy.ts';

/**
 * The edge of the sites domain. Invalidates by tag (`#p-<projectId>`), because an invalidation by
 * path would affect all hosts.
 * @param target CloudFront tenant of the sites domain; empty if there is none
 */
export function edgeCache(target: string, rows: PurgeRows, client?: CloudFrontClient): EdgeCache {
  return purgingOnce({
    rows,
    async invalidate(projectId) {
      if (target === '') return;
      // Imported on first use: most requests change nothing, and the client would be a tenth of the
      // code that functions load.
      const { sendInvalidation } = await import('./send-invalidation.ts');
      await sendInvalidation(target, `#${cacheTag(projectId)}`, client);
    },
    pause: (ms) => setTimeout(ms),
    now: () => new Date(),
  });
}
