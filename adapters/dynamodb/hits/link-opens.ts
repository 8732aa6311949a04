import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { CountedOpens, LinkOpens } from '../../../core/analytics/ports.ts';
import { partitionRows } from '../read-rows.ts';
import { remove, write } from '../writes.ts';
import { linkOpensKey, shardsOf } from './hit-rows.ts';

/** The opens of one share link, in one partition of its project's hits. */
export const LinkOpensRow = z.object({
  sk: z.string(),
  opens: z.number(),
  firstOpenedAt: z.string(),
  lastOpenedAt: z.string(),
});
type LinkOpensRow = z.infer<typeof LinkOpensRow>;

/** How often the share links of projects were opened. */
export function linkOpens(client: DynamoDBDocumentClient, table: string): LinkOpens {
  return {
    async ofLinks(projectId) {
      const partitions = await Promise.all(
        shardsOf(projectId).map((pk) =>
          partitionRows(client, table, { pk, prefix: linkOpensKey('') }),
        ),
      );
      const found = new Map<string, CountedOpens>();
      for (const { sk, ...row } of z.array(LinkOpensRow).parse(partitions.flat())) {
        const id = sk.slice(linkOpensKey('').length);
        found.set(id, sumOf(row, found.get(id)));
      }
      return found;
    },
    async removeLink(projectId, linkId) {
      const keys = shardsOf(projectId).map((pk) => ({ pk, sk: linkOpensKey(linkId) }));
      await Promise.all(keys.map((key) => write(client, remove(table, key))));
    },
  };
}

function sumOf(row: CountedOpens, other: CountedOpens | undefined): CountedOpens {
  if (other === undefined) return row;
  const [firstOpenedAt = ''] = [row.firstOpenedAt, other.firstOpenedAt].toSorted();
  const [, lastOpenedAt = ''] = [row.lastOpenedAt, other.lastOpenedAt].toSorted();
  return { opens: row.opens + other.opens, firstOpenedAt, lastOpenedAt };
}
