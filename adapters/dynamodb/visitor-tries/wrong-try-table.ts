import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { ProjectId } from '../../../contract/fields.ts';
import { epochSeconds, plusSeconds } from '../../../core/instants.ts';
import type { WrongTries, WrongTryCount } from '../../../core/visit/access/wrong-tries.ts';
import { unlessLost } from '../document-client.ts';

/** Longer than tries are counted together. */
const keptSeconds = 32 * 86_400;

const Row = z.object({
  tries: z.number(),
  since: z.number(),
  alertedAt: z.number().optional(),
});

/** Wrong tries in DynamoDB; a row leaves by TTL when none was counted for a month. */
export function wrongTryTable(client: DynamoDBDocumentClient, table: string): WrongTries {
  return {
    async count(projectId, now) {
      const update = new UpdateCommand({
        TableName: table,
        Key: keyOf(projectId),
        UpdateExpression: 'ADD tries :one SET since = if_not_exists(since, :now), #ttl = :ttl',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':one': 1,
          ':now': now.getTime(),
          ':ttl': epochSeconds(plusSeconds(now, keptSeconds)),
        },
        ReturnValues: 'ALL_NEW',
      });
      const row = Row.parse((await client.send(update)).Attributes);
      const { tries, since, alertedAt } = row;
      return {
        tries,
        since: new Date(since),
        alertedAt: alertedAt === undefined ? undefined : new Date(alertedAt),
      };
    },
    restart: (projectId, seen, next) =>
      unlessLost(client.send(restart(table, projectId, seen, next))),
  };
}

const keyOf = (projectId: ProjectId) => ({ key: `unlock-wrong#${projectId}` });

function restart(
  table: string,
  projectId: ProjectId,
  seen: WrongTryCount,
  next: WrongTryCount,
): UpdateCommand {
  const { tries, since, alertedAt } = next;
  const alerted = alertedAt === undefined ? ' REMOVE alertedAt' : ', alertedAt = :alertedAt';
  const wasAlerted =
    seen.alertedAt === undefined ? 'attribute_not_exists(alertedAt)' : 'alertedAt = :seenAlertedAt';
  return new UpdateCommand({
    TableName: table,
    Key: keyOf(projectId),
    UpdateExpression: `SET tries = :tries, since = :since${alerted}`,
    // Tries may go on meanwhile; whoever begins anew changes these.
    ConditionExpression: `since = :seen AND ${wasAlerted}`,
    ExpressionAttributeValues: {
      ':tries': tries,
      ':since': since.getTime(),
      ':seen': seen.since.getTime(),
      ...(alertedAt !== undefined && { ':alertedAt': alertedAt.getTime() }),
      ...(seen.alertedAt !== undefined && { ':seenAlertedAt': seen.alertedAt.getTime() }),
    },
  });
}
