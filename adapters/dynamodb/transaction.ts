import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { backOff } from './document-client.ts';

type Part = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** The parts whose conditions did not hold, each with the row it met where it asked for that. */
export type Unmet<Name extends string> = Map<Name, Record<string, unknown>>;

/** Many at once may meet at one account's row; each turn takes some milliseconds. */
const turns = 40;

/**
 * Writes all parts, or nothing: then it tells whose conditions did not hold. A part that met
 * another transaction waits for its turn.
 */
export async function transact<Name extends string>(
  client: DynamoDBDocumentClient,
  parts: readonly (readonly [Name, Part])[],
): Promise<Unmet<Name>> {
  const TransactItems = parts.map(([, part]) => part);
  for (let turn = 1; ; turn += 1) {
    try {
      await client.send(new TransactWriteCommand({ TransactItems }));
      return new Map();
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const unmet = unmetParts(parts, error);
      if (unmet.size > 0) return unmet;
      if (turn === turns || !isConflict(error)) throw error;
      await backOff(turn);
    }
  }
}

function unmetParts<Name extends string>(
  parts: readonly (readonly [Name, Part])[],
  { CancellationReasons = [] }: TransactionCanceledException,
): Unmet<Name> {
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
