import { daySeconds } from '../../../contract/limits.ts';
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { ProjectId } from '../../../contract/fields.ts';
import { epochSeconds, plusSeconds } from '../../../core/instants.ts';
import type { WrongTries, WrongTryCount } from '../../../core/visit/access/wrong-tries.ts';
import { tryConditionalWrite } from '../document-client.ts';

/** Longer than the period in which tries are counted together. */
const keptSeconds = 32 * daySeconds;

/** The wrong tries of a project. */
export const WrongTryRow = z.object({
  tries: z.number(),
  since: z.number(),
  alertedAt: z.number().optional(),
});

/** Wrong tries in DynamoDB; a row expires by TTL after a month without wrong tries. */
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
      const row = WrongTryRow.parse((await client.send(update)).Attributes);
      const { tries, since, alertedAt } = row;
      return {
        tries,
        since: new Date(since),
        alertedAt: alertedAt === undefined ? undefined : new Date(alertedAt),
      };
    },
    restart: (projectId, previous, next) =>
      tryConditionalWrite(client.send(restart(table, projectId, previous, next))),
  };
}

const keyOf = (projectId: ProjectId) => ({ key: `unlock-wrong#${projectId}` });

function restart(
  table: string,
  projectId: ProjectId,
  previous: WrongTryCount,
  next: WrongTryCount,
): UpdateCommand {
  const { tries, since, alertedAt } = next;
  const alerted = alertedAt === undefined ? ' REMOVE alertedAt' : ', alertedAt = :alertedAt';
  const wasAlerted =
    previous.alertedAt === undefined
      ? 'attribute_not_exists(alertedAt)'
      : 'alertedAt = :seenAlertedAt';
  return new UpdateCommand({
    TableName: table,
    Key: keyOf(projectId),
    UpdateExpression: `SET tries = :tries, since = :since${alerted}`,
    // Concurrent tries do not change these two fields; only a concurrent restart does.
    ConditionExpression: `since = :seen AND ${wasAlerted}`,
    ExpressionAttributeValues: {
      ':tries': tries,
      ':since': since.getTime(),
      ':seen': previous.since.getTime(),
      ...(alertedAt !== undefined && { ':alertedAt': alertedAt.getTime() }),
      ...(previous.alertedAt !== undefined && { ':seenAlertedAt': previous.alertedAt.getTime() }),
    },
  });
}
