import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  ConditionalCheckFailedException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { backOff } from '../../core/back-off.ts';
import type { ReadItem } from './read-rows.ts';

/** A document client; create one per function instance. */
export function documentClient(): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(new DynamoDBClient({}), {
    marshallOptions: { removeUndefinedValues: true },
  });
}

/** Reads rows through the SDK. */
export function documentItems(client: DynamoDBDocumentClient): ReadItem {
  return async (table, key) => {
    const get = new GetCommand({ TableName: table, Key: key, ConsistentRead: true });
    return (await client.send(get)).Item;
  };
}

/** Whether the condition of a single write failed. */
function isConditionFailure(error: unknown): boolean {
  return error instanceof ConditionalCheckFailedException;
}

/** False if the condition of the write failed; throws all other errors. */
export async function tryConditionalWrite(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (isConditionFailure(error)) return false;
    throw error;
  }
}

/** A transaction takes some milliseconds, and many may queue for one row. */
const maxAttempts = 40;

/**
 * Writes a row that transactions also write. DynamoDB refuses a write while a transaction is in
 * progress on its row.
 */
export async function retryOnConflict<T>(write: () => Promise<T>): Promise<T> {
  for (let turn = 1; ; turn += 1) {
    try {
      return await write();
    } catch (error) {
      if (turn === maxAttempts || !(error instanceof TransactionConflictException)) throw error;
      await backOff(turn);
    }
  }
}

const RowKey = z.object({ pk: z.string(), sk: z.string() });

/** Deletes rows that a query found. */
export async function deleteRows(
  client: DynamoDBDocumentClient,
  TableName: string,
  rows: readonly object[],
): Promise<void> {
  const keys = z.array(RowKey).parse(rows);
  await Promise.all(
    keys.map((Key) => retryOnConflict(() => client.send(new DeleteCommand({ TableName, Key })))),
  );
}
