import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { AccountId, type Instant } from '../../../contract/fields.ts';
import {
  type CreateResult,
  LargeUpload,
  type UploadId,
  type UploadLock,
  type UploadResult,
  type UploadSize,
  type UploadStore,
} from '../../../core/uploads/upload.ts';
import { readStaged, stagingPart } from '../accounts/account-totals.ts';
import { tryConditionalWrite } from '../document-client.ts';
import { rowParser, withoutNulls } from '../null-fields.ts';
import { readRow } from '../read-rows.ts';
import { dueAttributes, uploadKey } from '../projects/project-rows.ts';
import { writeTransaction } from '../transaction.ts';

const parseUploadRow = rowParser(LargeUpload);

/** One change of an upload's row. */
interface Change {
  set: string;
  when: string;
  values: Record<string, unknown>;
}

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
  const update = (uploadId: UploadId, change: Change) =>
    tryConditionalWrite(client.send(new UpdateCommand(updateInput(table, uploadId, change))));
  const release = (uploadId: UploadId, change: Change) =>
    releaseBytes(client, tables, { uploadId, change });
  return {
    create: (upload, dueAt, maxStagedBytes) =>
      create(client, tables, { upload, dueAt, maxStagedBytes }),
    async get(uploadId) {
      const row = await readRow(client, table, uploadKey(uploadId));
      // The sweep is removing an expired upload.
      if (row === undefined || row['state'] === 'expired') return undefined;
      return parseUploadRow(row);
    },
    lock: (uploadId, at, lock) => update(uploadId, lockChange(at, lock)),
    async release(uploadId, dueAt) {
      const values = { ':publishing': 'publishing', ':waiting': 'waiting', ':dueAt': dueAt };
      const set = '#state = :waiting, dueAt = :dueAt';
      await update(uploadId, { set, when: '#state = :publishing', values });
    },
    async progress(uploadId, done, total) {
      await update(uploadId, progressChange(done, total));
    },
    async end(uploadId, end, dueAt) {
      await release(uploadId, endChange(end, dueAt));
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
    await client.send(new PutCommand({ TableName, Item }));
    return 'created';
  }
  const total = { table: accountsOf(tables), accountId, bytes };
  const unmet = await writeTransaction(client, [
    ['upload', { Put: { TableName, Item: { ...Item, stagedBytes: bytes } } }] as const,
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
  { uploadId, change }: { uploadId: UploadId; change: Change },
): Promise<boolean> {
  const row = await readRow(client, tables.projects, uploadKey(uploadId));
  const { accountId, stagedBytes } = Reserved.parse(row ?? {});
  const write = (input: UpdateCommandInput) =>
    tryConditionalWrite(client.send(new UpdateCommand(input)));
  if (accountId === undefined || stagedBytes === undefined) {
    return write(updateInput(tables.projects, uploadId, change));
  }
  const own = updateInput(tables.projects, uploadId, {
    set: `${change.set} REMOVE stagedBytes`,
    when: `${change.when} AND stagedBytes = :stagedBytes`,
    values: { ...change.values, ':stagedBytes': stagedBytes },
  });
  const total = { table: accountsOf(tables), accountId, bytes: -stagedBytes };
  const unmet = await writeTransaction(client, [
    ['upload', { Update: own }] as const,
    ['account', stagingPart(total, -1)] as const,
  ]);
  // A deleted account has no totals, but its uploads must still end.
  return unmet.size === 0 || (!unmet.has('upload') && write(own));
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

function updateInput(TableName: string, uploadId: UploadId, { set, when, values }: Change) {
  return {
    TableName,
    Key: uploadKey(uploadId),
    UpdateExpression: `SET ${set}`,
    ConditionExpression: `attribute_exists(pk) AND ${when}`,
    ExpressionAttributeNames: reservedNames(set + when),
    ExpressionAttributeValues: values,
  };
}

/** Placeholders for attribute names that are reserved words in DynamoDB. */
function reservedNames(text: string): Record<string, string> | undefined {
  const used = ['state', 'bytes'].filter((name) => text.includes(`#${name}`));
  if (used.length === 0) return undefined;
  return Object.fromEntries(used.map((name) => [`#${name}`, name]));
}

function lockChange(at: Instant, { dueAt, until }: UploadLock): Change {
  const lockedUntil = until === undefined ? ' REMOVE lockedUntil' : ', lockedUntil = :until';
  const isFree = '(#state = :waiting OR (#state = :publishing AND lockedUntil <= :at))';
  const states = { ':publishing': 'publishing', ':waiting': 'waiting' };
  return {
    set: `#state = :publishing, dueAt = :dueAt${lockedUntil}`,
    when: `${isFree} AND expiresAt > :at`,
    values: {
      ...states,
      ':at': at,
      ':dueAt': dueAt,
      ...(until !== undefined && { ':until': until }),
    },
  };
}

function endChange(end: UploadResult, dueAt: string): Change {
  const values = { ':state': end.state, ':dueAt': dueAt, ':publishing': 'publishing' };
  const when = '#state = :publishing';
  if (end.state === 'failed') {
    const set = '#state = :state, dueAt = :dueAt, failure = :failure';
    return { set, when, values: { ...values, ':failure': end.failure } };
  }
  const { projectId, fileCount, bytes, warnings } = end;
  const all = ':files, #bytes = :bytes, doneFiles = :files, doneBytes = :bytes';
  const noticed = warnings === undefined ? '' : ', warnings = :warnings';
  const set = `#state = :state, dueAt = :dueAt, projectId = :projectId, fileCount = ${all}${noticed}`;
  const amount = { ':projectId': projectId, ':files': fileCount, ':bytes': bytes };
  const noted = warnings === undefined ? {} : { ':warnings': warnings };
  return { set, when, values: { ...values, ...amount, ...noted } };
}

function progressChange(done: UploadSize, total: UploadSize): Change {
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
