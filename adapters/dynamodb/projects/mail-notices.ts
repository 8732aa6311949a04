import { DeleteCommand, type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { Instant } from '../../../contract/fields.ts';
import { instant } from '../../../core/instants.ts';
import { noticeSubject } from '../../../core/mail-notices.ts';
import type { MailNotices, NoticeKey } from '../../../core/ports.ts';
import { tryConditionalWrite } from '../document-client.ts';
import { readRow } from '../read-rows.ts';
import { dueAttributes, noticeKey } from './project-rows.ts';

/** A mail that somebody is to get. */
export const NoticeRow = z.object({ lastAt: Instant });

/** The mails that people are to get, in DynamoDB; the sweep deletes their rows. */
export function mailNotices(client: DynamoDBDocumentClient, TableName: string): MailNotices {
  const update = (key: NoticeKey, change: NoticeChange) =>
    tryConditionalWrite(
      client.send(new UpdateCommand({ TableName, Key: noticeKey(key), ...change })),
    );
  return {
    async note(key, { at, dueAt }) {
      const { dueShard } = dueAttributes(noticeSubject(key), dueAt);
      await update(key, {
        UpdateExpression:
          'SET lastAt = :at, dueAt = if_not_exists(dueAt, :dueAt), dueShard = :dueShard',
        ExpressionAttributeValues: { ':at': at, ':dueAt': dueAt, ':dueShard': dueShard },
      });
    },
    async lease(key, now, until) {
      const isLeased = await update(key, {
        UpdateExpression: 'SET dueAt = :until',
        ConditionExpression: 'dueAt <= :now',
        ExpressionAttributeValues: { ':until': until, ':now': instant(now) },
      });
      const row = isLeased ? await readRow(client, TableName, noticeKey(key)) : undefined;
      return row && NoticeRow.parse(row).lastAt;
    },
    async end(key, lastAt, dueAt) {
      const isEnded = await tryConditionalWrite(
        client.send(
          new DeleteCommand({
            TableName,
            Key: noticeKey(key),
            ConditionExpression: 'attribute_not_exists(pk) OR lastAt <= :lastAt',
            ExpressionAttributeValues: { ':lastAt': lastAt },
          }),
        ),
      );
      if (isEnded) return;
      await update(key, {
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
