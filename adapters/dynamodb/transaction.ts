import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { backOff } from '../../core/back-off.ts';
import { isThrottledTransaction } from '../failures/service-failure.ts';

/** One part of a transaction. */
export type TransactionPart = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** The parts whose conditions failed, each with its row if the part requested that. */
export type FailedConditions<Name extends string> = Map<Name, Record<string, unknown>>;

/**
 * Enough attempts to wait 0.5 to 1.5 seconds, because a throttled partition has its throughput
 * again in the next second.
 */
const maxThrottledAttempts = 12;

/** Many transactions may compete for one account's row; each takes some milliseconds. */
const maxAttempts = 40;

/**
 * Writes all parts, or nothing and returns the parts whose conditions failed. After a conflict with
 * another transaction, or while a partition is throttled, it waits and tries again.
 */
export async function writeTransaction<Name extends string>(
  client: DynamoDBDocumentClient,
  parts: readonly (readonly [Name, TransactionPart])[],
): Promise<FailedConditions<Name>> {
  const TransactItems = parts.map(([, part]) => part);
  for (let turn = 1; ; turn += 1) {
    try {
      await client.send(new TransactWriteCommand({ TransactItems }));
      return new Map();
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const unmet = failedConditions(parts, error);
      if (unmet.size > 0) return unmet;
      const limit = isThrottledTransaction(error) ? maxThrottledAttempts : maxAttempts;
      if (turn >= limit || !isRepeatable(error)) throw error;
      await backOff(turn);
    }
  }
}

function failedConditions<Name extends string>(
  parts: readonly (readonly [Name, TransactionPart])[],
  { CancellationReasons = [] }: TransactionCanceledException,
): FailedConditions<Name> {
  return new Map(
    parts.flatMap(([name], index) => {
      const reason = CancellationReasons[index];
      return reason?.Code === 'ConditionalCheckFailed'
        ? [[name, unmarshall(reason.Item ?? {})] as const]
        : [];
    }),
  );
}

function isRepeatable(error: TransactionCanceledException): boolean {
  const { CancellationReasons = [] } = error;
  const isConflict = CancellationReasons.some(({ Code }) => Code === 'TransactionConflict');
  return isConflict || isThrottledTransaction(error);
}
