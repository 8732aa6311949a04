import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { hitKey } from '../../../core/analytics/join-opens.ts';
import type { HitQuery, HitReader } from '../../../core/analytics/ports.ts';
import type { RecordedHit } from '../../../core/analytics/recorded-hit.ts';
import { rollUp } from './hit-rollups.ts';
import { shardsOf } from './hit-rows.ts';
import { newestHits } from './newest-hits.ts';
import { projectCounts } from './project-counts.ts';

/** Sorts after every key of a hit. */
const afterAll = '~';

/** The dependencies of a reader, besides the table. */
interface HitReaderDeps {
  now: () => Date;
  /** Called when a rollup could not be written; the next reader tries again. */
  onFailure: (item: unknown, error: unknown) => void;
}

/** Reads hits and their counts from DynamoDB. */
export function hitReader(
  client: DynamoDBDocumentClient,
  table: string,
  { now, onFailure }: HitReaderDeps,
): HitReader {
  return {
    newest: (query) => newestIn(client, table, { shards: shardsOf(query.projectId), query }),
    async summary(projectId, { since, latest }) {
      const { counts, shards, read } = await projectCounts(client, table, { projectId, since });
      const query: HitQuery = { projectId, kind: 'open', before: afterAll, limit: latest };
      const [latestOpens] = await Promise.all([
        newestIn(client, table, { shards, query }),
        rollUp(client, table, { read, now: now() }).catch((error: unknown) =>
          onFailure({ kind: 'rollup', projectId }, error),
        ),
      ]);
      return { ...counts, latestOpens };
    },
  };
}

/** The newest hits of partitions, which are read in parallel. */
async function newestIn(
  client: DynamoDBDocumentClient,
  table: string,
  { shards, query }: { shards: readonly string[]; query: HitQuery },
): Promise<RecordedHit[]> {
  if (query.limit === 0) return [];
  const found = await Promise.all(shards.map((pk) => newestHits(client, table, pk, query)));
  return found
    .flat()
    .filter((hit) => hitKey(hit) < query.before)
    .toSorted((a, b) => (hitKey(a) < hitKey(b) ? 1 : -1))
    .slice(0, query.limit);
}
