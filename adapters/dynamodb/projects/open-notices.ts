import { DeleteCommand, type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { Instant, type ProjectId } from '../../../contract/fields.ts';
import type { OpenNotices } from '../../../core/analytics/open-mails.ts';
import { instant } from '../../../core/instants.ts';
import { tryConditionalWrite } from '../document-client.ts';
import { readRow } from '../read-rows.ts';
import { dueAttributes, noticeKey } from './project-rows.ts';

/** A project whose owner is to get a mail about opens. */
export const NoticeRow = z.object({ lastAt: Instant });

/** The notices of opens in DynamoDB; hits write their rows, and the sweep deletes them. */
export function openNotices(client: DynamoDBDocumentClient, TableName: string): OpenNotices {
  const update = (projectId: ProjectId, change: NoticeChange) =>
    tryConditionalWrite(
      client.send(new UpdateCommand({ TableName, Key: noticeKey(projectId), ...change })),
    );
  return {
    async note(projectId, { at, dueAt }) {
      const { dueShard } = dueAttributes(projectId, dueAt);
      await update(projectId, {
        UpdateExpression:
          'SET lastAt = :at, dueAt = if_not_exists(dueAt, :dueAt), dueShard = :dueShard',
        ExpressionAttributeValues: { ':at': at, ':dueAt': dueAt, ':dueShard': dueShard },
      });
    },
    async lease(projectId, now, until) {
      const isLeased = await update(projectId, {
        UpdateExpression: 'SET dueAt = :until',
        ConditionExpression: 'dueAt <= :now',
        ExpressionAttributeValues: { ':until': until, ':now': instant(now) },
      });
      const row = isLeased ? await readRow(client, TableName, noticeKey(projectId)) : undefined;
      return row && NoticeRow.parse(row).lastAt;
    },
    async end(projectId, lastAt, dueAt) {
      const isEnded = await tryConditionalWrite(
        client.send(
          new DeleteCommand({
            TableName,
            Key: noticeKey(projectId),
            ConditionExpression: 'attribute_not_exists(pk) OR lastAt <= :lastAt',
            ExpressionAttributeValues: { ':lastAt': lastAt },
          }),
        ),
      );
      if (isEnded) return;
      await update(projectId, {
        UpdateExpression: 'SET dueAt = :dueAt',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':dueAt': dueAt },
      });
    },
  };
}

interface NoticeChange {
  UpdateExpression: string;
  ConditionExpression?: string;
  ExpressionAttributeValues: Record<string, unknown>;
}
