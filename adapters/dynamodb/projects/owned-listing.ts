import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { ProjectId } from '../../../contract/fields.ts';
import type { OwnedListing } from '../../../core/transfer/export-ports.ts';
import { byOwner, ownerState } from './project-rows.ts';

const Listed = z
  .object({ id: ProjectId, listedAt: z.string() })
  .transform(({ id, listedAt }) => ({ projectId: id, listedAt }));
type Listed = z.infer<typeof Listed>;

/** Sorts before every instant. */
const beforeAll = '0';

/** What accounts own, as the index lists it; that follows the table within moments. */
export function ownedListing(client: DynamoDBDocumentClient, table: string): OwnedListing {
  return {
    async *oldestFirst(accountId, from = beforeAll) {
      const states = (['active', 'archived'] as const).map((state) =>
        rowsOf(client, table, { state: ownerState(accountId, state), from }),
      );
      let last = '';
      for await (const row of merged(states)) {
        // One that is archived right now may be met in both.
        if (row.listedAt !== last) yield row;
        last = row.listedAt;
      }
    },
  };
}

async function* rowsOf(
  client: DynamoDBDocumentClient,
  table: string,
  { state, from }: { state: ReturnType<typeof ownerState>; from: string },
): AsyncGenerator<Listed> {
  let start: Record<string, unknown> | undefined;
  do {
    const page = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: byOwner,
        KeyConditionExpression: 'ownerState = :state AND listedAt >= :from',
        ExpressionAttributeValues: { ':state': state, ':from': from },
        ProjectionExpression: 'id, listedAt',
        // As many as a page of an export has at most.
        Limit: 100,
        ExclusiveStartKey: start,
      }),
    );
    yield* z.array(Listed).parse(page.Items ?? []);
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
}

/** Sorted sequences as one. */
async function* merged(sources: readonly AsyncGenerator<Listed>[]): AsyncGenerator<Listed> {
  const heads = new Map<AsyncGenerator<Listed>, Listed>();
  const advance = async (source: AsyncGenerator<Listed>) => {
    const step = await source.next();
    if (step.done === true) heads.delete(source);
    else heads.set(source, step.value);
  };
  await Promise.all(sources.map(advance));
  for (;;) {
    const [first] = [...heads].toSorted(([, a], [, b]) => (a.listedAt < b.listedAt ? -1 : 1));
    if (first === undefined) return;
    const [source, head] = first;
    yield head;
    await advance(source);
  }
}
