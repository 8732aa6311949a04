import { isRecord } from '../errors.ts';
import { tableName } from './table-calls.ts';
import type { Table } from './tables.ts';

/** What one request costs one partition key, in capacity units. */
export interface PartitionUse {
  /** The number of the part in its transaction. */
  index: number;
  /** Table, or table and index, and the partition key's value. */
  partition: string;
  kind: 'read' | 'write';
  /** All of a write, the least of a read. */
  units: number;
  /** 1 for a strongly consistent read, 0.5 for others, 2 in transactions. */
  weight: number;
}

const WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'Put', 'Update', 'Delete']);
const WRITE_UNIT_BYTES = 1024;
const READ_UNIT_BYTES = 4096;

/** The units of a read whose response has this many bytes. */
export function readUnits(bytes: number, weight: number): number {
  return Math.ceil(bytes / READ_UNIT_BYTES) * weight;
}

function text(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

/** `#p = :p`, with the names of expressions replaced. */
function queriedKey(body: Record<string, unknown>, hashKey: string): unknown {
  const names = isRecord(body['ExpressionAttributeNames']) ? body['ExpressionAttributeNames'] : {};
  const values = body['ExpressionAttributeValues'];
  if (!isRecord(values)) return undefined;
  const condition = body['KeyConditionExpression'];
  if (typeof condition !== 'string') return undefined;
  for (const [, name = '', value = ''] of condition.matchAll(/(#?[\w.-]+)\s*=\s*(:\w+)/g)) {
    if ((names[name] ?? name) === hashKey) return values[value];
  }
  return undefined;
}

function hashKeyOf({ KeySchema }: Pick<Table['properties'], 'KeySchema'>): string | undefined {
  return KeySchema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName;
}

function partitionOf(tables: readonly Table[], body: Record<string, unknown>): string | undefined {
  const name = tableName(body['TableName']);
  const table = tables.find((one) => one.name === name);
  const index = table?.properties.GlobalSecondaryIndexes?.find(
    ({ IndexName }) => IndexName === body['IndexName'],
  );
  const hashKey = index === undefined ? table?.keyNames[0] : hashKeyOf(index);
  if (hashKey === undefined) return undefined;
  const row = body['Key'] ?? body['Item'];
  const value = isRecord(row) ? row[hashKey] : queriedKey(body, hashKey);
  if (value === undefined) return undefined;
  return [name, index?.IndexName ?? '', text(value)].join('/');
}

function useOf(
  tables: readonly Table[],
  operation: string,
  body: Record<string, unknown>,
  index?: number,
): PartitionUse[] {
  const partition = partitionOf(tables, body);
  if (partition === undefined) return [];
  const isTransaction = index !== undefined;
  const found = { partition, index: index ?? 0 };
  const factor = isTransaction ? 2 : 1;
  if (WRITES.has(operation)) {
    const units = Math.ceil(text(body['Item'] ?? body).length / WRITE_UNIT_BYTES) * factor;
    return [{ ...found, kind: 'write', units, weight: factor }];
  }
  const isStrong = body['ConsistentRead'] === true || isTransaction;
  const weight = isStrong ? factor : 0.5;
  return [{ ...found, kind: 'read', units: weight, weight }];
}

/**
 * What a request costs each partition key. A write is as large as the request says: the row of an
 * update is not read. Scans and batches cost nothing here; no request waits for one.
 */
export function partitionUses(
  tables: readonly Table[],
  operation: string,
  body: unknown,
): PartitionUse[] {
  if (!isRecord(body)) return [];
  const items = body['TransactItems'];
  if (!Array.isArray(items)) return useOf(tables, operation, body);
  return items
    .filter(isRecord)
    .flatMap((item, index) =>
      Object.entries(item).flatMap(([kind, part]) =>
        isRecord(part) ? useOf(tables, kind, part, index) : [],
      ),
    );
}
