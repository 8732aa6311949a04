import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { ProjectId } from '../../../contract/fields.ts';
import type { OwnedListing } from '../../../core/transfer/ports.ts';
import { queryPages } from '../read-rows.ts';
import { ownerIndex } from './owner-index.ts';
import { ownerState } from './project-rows.ts';

const ListedProject = z
  .object({ id: ProjectId, listedAt: z.string() })
  .transform(({ id, listedAt }) => ({ projectId: id, listedAt }));
type ListedProject = z.infer<typeof ListedProject>;

/** Sorts before every instant. */
const beforeAll = '0';

/** The projects of accounts, from an index that is eventually consistent. */
export function ownedListing(client: DynamoDBDocumentClient, table: string): OwnedListing {
  return {
    async *oldestFirst(accountId, from = beforeAll) {
      const states = (['active', 'archived'] as const).map((state) =>
        rowsOf(client, table, { state: ownerState(accountId, state), from }),
      );
      let last = '';
      for await (const row of mergeSorted(states)) {
        // A project that is being archived may appear in both lists.
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
): AsyncGenerator<ListedProject> {
  const pages = queryPages(client, {
    TableName: table,
    IndexName: ownerIndex,
    KeyConditionExpression: 'ownerState = :state AND listedAt >= :from',
    ExpressionAttributeValues: { ':state': state, ':from': from },
    ProjectionExpression: 'id, listedAt',
    // The maximum number of projects on an export page.
    Limit: 100,
  });
  for await (const rows of pages) yield* z.array(ListedProject).parse(rows);
}

async function* mergeSorted(
  sources: readonly AsyncGenerator<ListedProject>[],
): AsyncGenerator<ListedProject> {
  const heads = new Map<AsyncGenerator<ListedProject>, ListedProject>();
  const advance = async (source: AsyncGenerator<ListedProject>) => {
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
