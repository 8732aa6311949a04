import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { backOff } from './document-client.ts';

type Part = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** The parts whose conditions failed, each with its row if the part requested that. */
export type FailedConditions<Name extends string> = Map<Name, Record<string, unknown>>;

/** Many transactions may compete for one account's row; each takes some milliseconds. */
const maxAttempts = 40;

/**
 * Writes all parts, or nothing and returns the parts whose conditions failed. After a conflict with
 * another transaction it waits and tries again.
 */
export async function writeTransaction<Name extends string>(
  client: DynamoDBDocumentClient,
  parts: readonly (readonly [Name, Part])[],
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
      if (turn === maxAttempts || !isConflict(error)) throw error;
      await backOff(turn);
    }
  }
}

function failedConditions<Name extends string>(
  parts: readonly (readonly [Name, Part])[],
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

function isConflict({ CancellationReasons = [] }: TransactionCanceledException): boolean {
  return CancellationReasons.some(({ Code }) => Code === 'TransactionConflict');
}
