import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { AccountId, type Instant } from '../../../contract/fields.ts';
import {
  type CreateResult,
  LargeUpload,
  type UploadId,
  type UploadLock,
  type UploadResult,
  type UploadStore,
} from '../../../core/uploads/upload.ts';
import { readStaged, stagingPart } from '../accounts/account-totals.ts';
import { rowParser, withoutNulls } from '../null-fields.ts';
import { readRow } from '../read-rows.ts';
import { dueAttributes, uploadKey } from '../projects/project-rows.ts';
import { writeTransaction } from '../transaction.ts';
import { type Change, put, remove, update, write } from '../writes.ts';

const parseUploadRow = rowParser(LargeUpload);

/**
 * The table of uploads, and the table with the totals of accounts, which only uploads of accounts
 * need.
 */
export interface UploadTables {
  projects: string;
  accounts?: string;
}

/**
 * Large uploads in DynamoDB, in the table of projects. The bytes that an upload reserves are in its
 * row and in its account's totals; one transaction changes both.
 */
export function uploadRepository(
  client: DynamoDBDocumentClient,
  tables: UploadTables,
): UploadStore {
  const table = tables.projects;
  const change = (uploadId: UploadId, changes: UploadChange) =>
    write(client, changeOf(table, uploadId, changes));
  const release = (uploadId: UploadId, changes: UploadChange) =>
    releaseBytes(client, tables, { uploadId, change: changes });
  return {
    create: (upload, dueAt, maxStagedBytes) =>
      create(client, tables, { upload, dueAt, maxStagedBytes }),
    async get(uploadId) {
      const row = await readRow(client, table, uploadKey(uploadId));
      // The sweep is removing an expired upload.
      if (row === undefined || row['state'] === 'expired') return undefined;
      return parseUploadRow(row);
    },
    lock: (uploadId, at, lock) => change(uploadId, lockChange(at, lock)),
    async release(uploadId, dueAt) {
      await change(uploadId, { set: { state: 'waiting', dueAt }, ...isPublishing });
    },
    async progress(uploadId, done, { fileCount, bytes }) {
      const reached = { doneFiles: done.fileCount, doneBytes: done.bytes };
      await change(uploadId, { set: { ...reached, fileCount, bytes }, ...isPublishing });
    },
    async end(uploadId, end, dueAt) {
      await release(uploadId, endChange(end, dueAt));
    },
    expire: (uploadId, at) =>
      release(uploadId, { set: { state: 'expired' }, when: 'dueAt <= :at', values: { at } }),
    async remove(uploadId) {
      await write(client, remove(table, uploadKey(uploadId)));
    },
  };
}

/** A change of an upload's row, which must exist. */
type UploadChange = Change & { when: string };

const isPublishing = { when: '#state = :publishing', values: { publishing: 'publishing' } };

async function create(
  client: DynamoDBDocumentClient,
  tables: UploadTables,
  wanted: { upload: LargeUpload; dueAt: Instant; maxStagedBytes: number },
): Promise<CreateResult> {
  const { upload, dueAt, maxStagedBytes } = wanted;
  const { uploadId, accountId, bytes } = upload;
  const Item = {
    ...uploadKey(uploadId),
    ...withoutNulls(upload),
    ...dueAttributes(uploadId, dueAt),
  };
  const TableName = tables.projects;
  if (accountId === null || bytes === 0) {
    await write(client, put(TableName, Item));
    return 'created';
  }
  const total = { table: accountsOf(tables), accountId, bytes };
  const unmet = await writeTransaction(client, [
    ['upload', put(TableName, { ...Item, stagedBytes: bytes })] as const,
    ['account', stagingPart(total, maxStagedBytes)] as const,
  ]);
  const account = unmet.get('account');
  return account === undefined ? 'created' : readStaged(account);
}

/**
 * Makes a change that releases the bytes that an upload reserves. It removes `stagedBytes` from the
 * row, so that only one of two such changes releases them.
 */
async function releaseBytes(
  client: DynamoDBDocumentClient,
  tables: UploadTables,
  { uploadId, change }: { uploadId: UploadId; change: UploadChange },
): Promise<boolean> {
  const row = await readRow(client, tables.projects, uploadKey(uploadId));
  const { accountId, stagedBytes } = Reserved.parse(row ?? {});
  if (accountId === undefined || stagedBytes === undefined) {
    return write(client, changeOf(tables.projects, uploadId, change));
  }
  const own = changeOf(tables.projects, uploadId, {
    ...change,
    remove: ['stagedBytes'],
    when: `${change.when} AND stagedBytes = :stagedBytes`,
    values: { ...change.values, stagedBytes },
  });
  const total = { table: accountsOf(tables), accountId, bytes: -stagedBytes };
  const unmet = await writeTransaction(client, [
    ['upload', own] as const,
    ['account', stagingPart(total, -1)] as const,
  ]);
  // A deleted account has no totals, but its uploads must still end.
  return unmet.size === 0 || (!unmet.has('upload') && write(client, own));
}

const Reserved = z.object({
  accountId: z.optional(AccountId),
  stagedBytes: z.number().int().optional(),
});

function accountsOf({ accounts }: UploadTables): string {
  if (accounts === undefined)
    throw new Error('an upload of an account needs the table of accounts');
  return accounts;
}

function changeOf(TableName: string, uploadId: UploadId, change: UploadChange) {
  const when = `attribute_exists(pk) AND ${change.when}`;
  return update(TableName, uploadKey(uploadId), { ...change, when });
}

function lockChange(at: Instant, { dueAt, until }: UploadLock): UploadChange {
  const isFree = '(#state = :waiting OR (#state = :state AND lockedUntil <= :at))';
  return {
    set: { state: 'publishing', dueAt, lockedUntil: until },
    remove: until === undefined ? ['lockedUntil'] : [],
    when: `${isFree} AND expiresAt > :at`,
    values: { waiting: 'waiting', at },
  };
}

function endChange(end: UploadResult, dueAt: string): UploadChange {
  const { state } = end;
  if (end.state === 'failed')
    return { set: { state, dueAt, failure: end.failure }, ...isPublishing };
  const { projectId, fileCount, bytes, warnings } = end;
  const done = { fileCount, bytes, doneFiles: fileCount, doneBytes: bytes };
  return { set: { state, dueAt, projectId, ...done, warnings }, ...isPublishing };
}
