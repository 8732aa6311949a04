import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { AccountId, type Instant } from '../../../contract/fields.ts';
import type { Amount, Creation, UploadEnd, UploadStore } from '../../../core/uploads/ports.ts';
import { LargeUpload, type UploadId } from '../../../core/uploads/upload.ts';
import { readStaged, stagingPart } from '../accounts/account-sums.ts';
import { unlessLost } from '../document-client.ts';
import { due, uploadKey, withoutNulls } from '../projects/project-rows.ts';
import { readRow } from '../read-rows.ts';
import { transact } from '../transaction.ts';

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

/** Where uploads stand, and the sums of the accounts that they count for; without accounts none of theirs is met. */
export interface UploadTables {
  projects: string;
  accounts?: string;
}

/**
 * Large uploads in DynamoDB, in the table of projects. What an upload reserves stands in its row
 * and in its account's sum, and changes in both or in none.
 */
export function uploadRepository(
  client: DynamoDBDocumentClient,
  tables: UploadTables,
): UploadStore {
  const table = tables.projects;
  const update = (uploadId: UploadId, change: Change) =>
    unlessLost(client.send(new UpdateCommand(changed(table, uploadId, change))));
  const release = (uploadId: UploadId, change: Change) =>
    releasing(client, tables, { uploadId, change });
  return {
    create: (upload, dueAt, maxStagedBytes) =>
      create(client, tables, { upload, dueAt, maxStagedBytes }),
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
      await release(uploadId, ended(end, dueAt));
    },
    expire: (uploadId, at) =>
      release(uploadId, {
        set: '#state = :expired',
        when: 'dueAt <= :at',
        values: { ':expired': 'expired', ':at': at },
      }),
    async remove(uploadId) {
      await client.send(new DeleteCommand({ TableName: table, Key: uploadKey(uploadId) }));
    },
  };
}

async function create(
  client: DynamoDBDocumentClient,
  tables: UploadTables,
  wanted: { upload: LargeUpload; dueAt: Instant; maxStagedBytes: number },
): Promise<Creation> {
  const { upload, dueAt, maxStagedBytes } = wanted;
  const { uploadId, accountId, bytes } = upload;
  const Item = { ...uploadKey(uploadId), ...withoutNulls(upload), ...due(uploadId, dueAt) };
  const TableName = tables.projects;
  if (accountId === null || bytes === 0) {
    await client.send(new PutCommand({ TableName, Item }));
    return 'created';
  }
  const sum = { table: accountsOf(tables), accountId, bytes };
  const unmet = await transact(client, [
    ['upload', { Put: { TableName, Item: { ...Item, stagedBytes: bytes } } }] as const,
    ['account', stagingPart(sum, maxStagedBytes)] as const,
  ]);
  const account = unmet.get('account');
  return account === undefined ? 'created' : readStaged(account);
}

/**
 * A change by which an upload holds no bytes any more. What it reserves is written at its creation
 * and taken away by this, so that of two such changes one gives the bytes back.
 */
async function releasing(
  client: DynamoDBDocumentClient,
  tables: UploadTables,
  { uploadId, change }: { uploadId: UploadId; change: Change },
): Promise<boolean> {
  const row = await readRow(client, tables.projects, uploadKey(uploadId));
  const { accountId, stagedBytes } = Reserved.parse(row ?? {});
  const write = (input: UpdateCommandInput) => unlessLost(client.send(new UpdateCommand(input)));
  if (accountId === undefined || stagedBytes === undefined) {
    return write(changed(tables.projects, uploadId, change));
  }
  const own = changed(tables.projects, uploadId, {
    set: `${change.set} REMOVE stagedBytes`,
    when: `${change.when} AND stagedBytes = :stagedBytes`,
    values: { ...change.values, ':stagedBytes': stagedBytes },
  });
  const sum = { table: accountsOf(tables), accountId, bytes: -stagedBytes };
  const unmet = await transact(client, [
    ['upload', { Update: own }] as const,
    ['account', stagingPart(sum, -1)] as const,
  ]);
  // An account that is gone has no sum; its uploads end all the same.
  return unmet.size === 0 || (!unmet.has('upload') && write(own));
}

const Reserved = z.object({
  accountId: AccountId.optional(),
  stagedBytes: z.number().int().optional(),
});

function accountsOf({ accounts }: UploadTables): string {
  if (accounts === undefined) throw new Error('an upload of an account, without their table');
  return accounts;
}

function changed(TableName: string, uploadId: UploadId, { set, when, values }: Change) {
  return {
    TableName,
    Key: uploadKey(uploadId),
    UpdateExpression: `SET ${set}`,
    ConditionExpression: `attribute_exists(pk) AND ${when}`,
    ExpressionAttributeNames: names(set + when),
    ExpressionAttributeValues: values,
  };
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
