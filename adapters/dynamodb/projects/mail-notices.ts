import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { Instant } from '../../../contract/fields.ts';
import { instant } from '../../../core/instants.ts';
import { noticeSubject } from '../../../core/mail-notices.ts';
import type { MailNotices, NoticeKey } from '../../../core/ports.ts';
import { readRow } from '../read-rows.ts';
import { type Change, exists, remove, update, write } from '../writes.ts';
import { dueAttributes, noticeKey } from './project-rows.ts';

/** A mail that somebody is to get. */
export const NoticeRow = z.object({ lastAt: Instant });

/** The mails that people are to get, in DynamoDB; the sweep deletes their rows. */
export function mailNotices(client: DynamoDBDocumentClient, TableName: string): MailNotices {
  const change = (key: NoticeKey, changes: Change) =>
    write(client, update(TableName, noticeKey(key), changes));
  return {
    async note(key, { at, dueAt }) {
      const { dueShard } = dueAttributes(noticeSubject(key), dueAt);
      await change(key, { set: { lastAt: at, dueShard }, setOnce: { dueAt } });
    },
    async lease(key, now, until) {
      const isLeased = await change(key, {
        set: { dueAt: until },
        when: 'dueAt <= :now',
        values: { now: instant(now) },
      });
      const row = isLeased ? await readRow(client, TableName, noticeKey(key)) : undefined;
      return row && NoticeRow.parse(row).lastAt;
    },
    async end(key, lastAt, dueAt) {
      const isOver = {
        when: 'attribute_not_exists(pk) OR lastAt <= :lastAt',
        values: { lastAt },
      };
      if (await write(client, remove(TableName, noticeKey(key), isOver))) return;
      await change(key, { set: { dueAt }, ...exists });
    },
  };
}
