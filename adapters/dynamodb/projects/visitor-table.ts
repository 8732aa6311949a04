import { DeleteCommand, type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { daySeconds } from '../../../contract/limits.ts';
import type { VisitorStore } from '../../../core/people/visitor.ts';
import { epochSeconds, instant } from '../../../core/instants.ts';
import { documentItems, tryConditionalWrite } from '../document-client.ts';
import { queryRows } from '../read-rows.ts';
import { parseVisitor, visitorKey, visitorReader } from './people-row.ts';
import { partition } from './project-keys.ts';

/** Visitors who proved an address, in DynamoDB, beside the other rows of their project, and removed with them. */
export function visitorTable(client: DynamoDBDocumentClient, TableName: string): VisitorStore {
  return {
    ...visitorReader(documentItems(client), TableName),
    async list(projectId, { after, limit, now }) {
      const query = {
        TableName,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: {
          ':pk': partition(projectId),
          // All ids have the same length, so a space leads to the next one.
          ':from': after === undefined ? 'VISITOR#' : `VISITOR#${after} `,
          ':to': 'VISITOR#~',
        },
        ConsistentRead: true,
      };
      const found = (await queryRows(client, query, limit + 1)).map(parseVisitor);
      const page = found.slice(0, limit);
      return {
        visitors: page.filter(({ expiresAt }) => expiresAt > instant(now)),
        next: found.length > limit ? page.at(-1)?.id : undefined,
      };
    },
    async admit({ id, projectId, email, createdAt, provedAt, expiresAt }) {
      // DynamoDB removes an expired row within days; until then it is in no list.
      const ttl = epochSeconds(new Date(expiresAt)) + daySeconds;
      const update = new UpdateCommand({
        TableName,
        Key: visitorKey(projectId, id),
        UpdateExpression:
          'SET id = :id, projectId = :projectId, email = :email, createdAt = if_not_exists(createdAt, :createdAt), provedAt = :provedAt, expiresAt = :expiresAt, #ttl = :ttl',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':id': id,
          ':projectId': projectId,
          ':email': email,
          ':createdAt': createdAt,
          ':provedAt': provedAt,
          ':expiresAt': expiresAt,
          ':ttl': ttl,
        },
      });
      await client.send(update);
    },
    async remove(projectId, id) {
      const Key = visitorKey(projectId, id);
      const condition = { ConditionExpression: 'attribute_exists(pk)' };
      return tryConditionalWrite(client.send(new DeleteCommand({ TableName, Key, ...condition })));
    },
  };
}
