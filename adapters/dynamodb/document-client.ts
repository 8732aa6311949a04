import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { ReadItem } from './read-item.ts';

/** A document client; one for a function's life. */
export function documentClient(): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(new DynamoDBClient({}), {
    marshallOptions: { removeUndefinedValues: true },
  });
}

/** Rows as the SDK reads them. */
export function documentItems(client: DynamoDBDocumentClient): ReadItem {
  return async (table, key) => {
    const get = new GetCommand({ TableName: table, Key: key, ConsistentRead: true });
    return (await client.send(get)).Item;
  };
}

/** Whether a single write lost against its condition. */
export function isLostCondition(error: unknown): boolean {
  return error instanceof ConditionalCheckFailedException;
}

/** Whether a conditional write went through; other errors go on. */
export async function unlessLost(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (isLostCondition(error)) return false;
    throw error;
  }
}

/** Per item of a cancelled transaction, why: `None`, `ConditionalCheckFailed`, `TransactionConflict`; `undefined` for other errors. */
export function cancellation(error: unknown): string[] | undefined {
  return error instanceof TransactionCanceledException
    ? (error.CancellationReasons ?? []).map((reason) => reason.Code ?? 'None')
    : undefined;
}

/** Waits a random moment that grows with the tries, so that losers of a race do not meet again. */
export async function backOff(tries: number): Promise<void> {
  const ms = Math.random() * Math.min(200, 5 * 2 ** tries);
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** A transaction takes some milliseconds; many may follow each other on one row. */
const turns = 40;

/** Writes one row that transactions write as well: DynamoDB refuses it while one is at work there. */
export async function amongTransactions<T>(write: () => Promise<T>): Promise<T> {
  for (let turn = 1; ; turn += 1) {
    try {
      return await write();
    } catch (error) {
      if (turn === turns || !(error instanceof TransactionConflictException)) throw error;
      await backOff(turn);
    }
  }
}
