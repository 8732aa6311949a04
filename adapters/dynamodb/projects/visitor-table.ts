import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { daySeconds } from '../../../contract/limits.ts';
import type { VisitorStore } from '../../../core/people/visitor.ts';
import { epochSeconds, instant } from '../../../core/instants.ts';
import { documentItems } from '../document-client.ts';
import { partitionRows } from '../read-rows.ts';
import { exists, remove, update, write } from '../writes.ts';
import { parseVisitor, visitorKey, visitorReader } from './people-row.ts';
import { partition } from './project-keys.ts';

/** Visitors who proved an address, in DynamoDB, beside the other rows of their project, and removed with them. */
export function visitorTable(client: DynamoDBDocumentClient, TableName: string): VisitorStore {
  return {
    ...visitorReader(documentItems(client), TableName),
    async list(projectId, { after, limit, now }) {
      // All ids have the same length, so a space leads to the next one.
      const from = after === undefined ? 'VISITOR#' : `VISITOR#${after} `;
      const query = { pk: partition(projectId), between: [from, 'VISITOR#~'] } as const;
      const found = (await partitionRows(client, TableName, query, limit + 1)).map(parseVisitor);
      const page = found.slice(0, limit);
      return {
        visitors: page.filter(({ expiresAt }) => expiresAt > instant(now)),
        next: found.length > limit ? page.at(-1)?.id : undefined,
      };
    },
    async admit({ createdAt, ...visitor }) {
      const { id, projectId, expiresAt } = visitor;
      // DynamoDB removes an expired row within days; until then it is in no list.
      const ttl = epochSeconds(new Date(expiresAt)) + daySeconds;
      const change = { set: { ...visitor, ttl }, setOnce: { createdAt } };
      await write(client, update(TableName, visitorKey(projectId, id), change));
    },
    remove: (projectId, id) => write(client, remove(TableName, visitorKey(projectId, id), exists)),
  };
}
