import { arn } from '../assembly/resource-type.ts';
import { isRecord } from '../errors.ts';

/** One permission that a request needs. */
export type TableCall = ReturnType<typeof tableCall>;

const ON_ONE_TABLE = new Set([
  'GetItem',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'DescribeTable',
  'Query',
  'Scan',
]);
const TRANSACTION_ACTIONS: Record<string, string> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

/** Requests may name a table by its ARN. */
export function tableName(value: unknown): string {
  return typeof value === 'string' ? (value.split(':table/').at(-1) ?? value) : '';
}

function tableCall(operation: string, table: unknown, index?: unknown) {
  const name = tableName(table);
  const suffix = typeof index === 'string' ? `/index/${index}` : '';
  return {
    table: name,
    /** `dynamodb:GetItem`; every part of a transaction needs its own. */
    action: `dynamodb:${operation}`,
    resource: arn('dynamodb', `table/${name}${suffix}`),
  };
}

function transactionCalls(items: unknown): TableCall[] {
  if (!Array.isArray(items)) return [];
  return items.filter(isRecord).flatMap((item) =>
    Object.entries(item).flatMap(([kind, part]) => {
      const action = TRANSACTION_ACTIONS[kind];
      if (action === undefined || !isRecord(part)) return [];
      return [tableCall(action, part['TableName'])];
    }),
  );
}

/**
 * The permissions that one request needs; undefined for an operation that functions cannot call
 * locally.
 */
export function tableCalls(operation: string, body: unknown): TableCall[] | undefined {
  if (!isRecord(body)) return undefined;
  if (ON_ONE_TABLE.has(operation)) {
    return [tableCall(operation, body['TableName'], body['IndexName'])];
  }
  if (operation === 'BatchGetItem' || operation === 'BatchWriteItem') {
    const items = body['RequestItems'];
    return isRecord(items) ? Object.keys(items).map((table) => tableCall(operation, table)) : [];
  }
  return operation === 'TransactWriteItems' ? transactionCalls(body['TransactItems']) : undefined;
}
