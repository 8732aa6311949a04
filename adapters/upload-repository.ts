import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { Amount, UploadEnd, UploadStore } from '../core/uploads/ports.ts';
import { LargeUpload, type UploadId } from '../core/uploads/upload.ts';
import { unlessLost } from './dynamodb.ts';
import { due, uploadKey, withoutNulls } from './project-rows.ts';

/** What is null is absent. */
const UploadRow = LargeUpload.extend({
  accountId: LargeUpload.shape.accountId.default(null),
  projectId: LargeUpload.shape.projectId.default(null),
  failure: LargeUpload.shape.failure.default(null),
});

/** One change of an upload's row. */
interface Change {
  set: string;
  when: string;
  values: Record<string, unknown>;
}

/** Large uploads in DynamoDB, in the table of projects. */
export function uploadRepository(client: DynamoDBDocumentClient, table: string): UploadStore {
  const update = (uploadId: UploadId, change: Change) =>
    unlessLost(client.send(updateCommand(table, uploadId, change)));
  return {
    async create(upload, dueAt) {
      const { uploadId } = upload;
      const Item = { ...uploadKey(uploadId), ...withoutNulls(upload), ...due(uploadId, dueAt) };
      await client.send(new PutCommand({ TableName: table, Item }));
    },
    async get(uploadId) {
      const { Item } = await client.send(
        new GetCommand({ TableName: table, Key: uploadKey(uploadId), ConsistentRead: true }),
      );
      // One whose time is over is on its way out.
      if (Item === undefined || Item['state'] === 'expired') return undefined;
      return z.object(UploadRow.shape).parse(Item);
    },
    take: (uploadId, at, dueAt) =>
      update(uploadId, {
        set: '#state = :publishing, dueAt = :dueAt',
        when: '#state = :waiting AND expiresAt > :at',
        values: { ':publishing': 'publishing', ':waiting': 'waiting', ':at': at, ':dueAt': dueAt },
      }),
    async giveBack(uploadId, dueAt) {
      const values = { ':publishing': 'publishing', ':waiting': 'waiting', ':dueAt': dueAt };
      const set = '#state = :waiting, dueAt = :dueAt';
      await update(uploadId, { set, when: '#state = :publishing', values });
    },
    async progress(uploadId, done, total) {
      await update(uploadId, progressed(done, total));
    },
    async end(uploadId, end, dueAt) {
      await update(uploadId, ended(end, dueAt));
    },
    expire: (uploadId, at) =>
      update(uploadId, {
        set: '#state = :expired',
        when: 'dueAt <= :at',
        values: { ':expired': 'expired', ':at': at },
      }),
    async remove(uploadId) {
      await client.send(new DeleteCommand({ TableName: table, Key: uploadKey(uploadId) }));
    },
  };
}

function updateCommand(TableName: string, uploadId: UploadId, { set, when, values }: Change) {
  return new UpdateCommand({
    TableName,
    Key: uploadKey(uploadId),
    UpdateExpression: `SET ${set}`,
    ConditionExpression: `attribute_exists(pk) AND ${when}`,
    ExpressionAttributeNames: names(set + when),
    ExpressionAttributeValues: values,
  });
}

/** Reserved words (Amazon DynamoDB). */
function names(text: string): Record<string, string> | undefined {
  const used = ['state', 'bytes'].filter((name) => text.includes(`#${name}`));
  if (used.length === 0) return undefined;
  return Object.fromEntries(used.map((name) => [`#${name}`, name]));
}

function ended(end: UploadEnd, dueAt: string): Change {
  const values = { ':state': end.state, ':dueAt': dueAt, ':publishing': 'publishing' };
  const when = '#state = :publishing';
  if (end.state === 'failed') {
    const set = '#state = :state, dueAt = :dueAt, failure = :failure';
    return { set, when, values: { ...values, ':failure': end.failure } };
  }
  const { projectId, fileCount, bytes } = end;
  const all = ':files, #bytes = :bytes, doneFiles = :files, doneBytes = :bytes';
  const set = `#state = :state, dueAt = :dueAt, projectId = :projectId, fileCount = ${all}`;
  const amount = { ':projectId': projectId, ':files': fileCount, ':bytes': bytes };
  return { set, when, values: { ...values, ...amount } };
}

function progressed(done: Amount, total: Amount): Change {
  return {
    set: 'doneFiles = :doneFiles, doneBytes = :doneBytes, fileCount = :files, #bytes = :bytes',
    when: '#state = :publishing',
    values: {
      ':publishing': 'publishing',
      ':doneFiles': done.fileCount,
      ':doneBytes': done.bytes,
      ':files': total.fileCount,
      ':bytes': total.bytes,
    },
  };
}
