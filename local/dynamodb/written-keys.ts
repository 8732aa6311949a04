import { isRecord } from '../errors.ts';
import { tableName } from './table-calls.ts';
import { Item, type Table } from './tables.ts';

/** The key of a row that a request writes, in DynamoDB's own JSON. */
export interface WrittenKey {
  table: string;
  key: Item;
}

/** The keys of the rows that a request writes or deletes, also those that a transaction only checks. */
export function writtenKeys(tables: readonly Table[], body: unknown): WrittenKey[] {
  if (!isRecord(body)) return [];
  const { TransactItems: items, RequestItems: requests } = body;
  if (Array.isArray(items)) {
    return items
      .filter(isRecord)
      .flatMap((item) => Object.values(item).flatMap((part) => keyOf(tables, part)));
  }
  if (!isRecord(requests)) return keyOf(tables, body);
  return Object.entries(requests).flatMap(([TableName, writes]) => {
    if (!Array.isArray(writes)) return [];
    const parts = writes.filter(isRecord).flatMap((write) => Object.values(write).filter(isRecord));
    return parts.flatMap((part) => keyOf(tables, { ...part, TableName }));
  });
}

function keyOf(tables: readonly Table[], part: unknown): WrittenKey[] {
  if (!isRecord(part)) return [];
  const name = tableName(part['TableName']);
  const table = tables.find((one) => one.name === name);
  const row = part['Key'] ?? part['Item'];
  if (table === undefined || !isRecord(row)) return [];
  return [{ table: name, key: Item.parse(keyIn(table, row)) }];
}

/** The key attributes of a row. */
export function keyIn({ keyNames }: Pick<Table, 'keyNames'>, row: Item): Item {
  return Object.fromEntries(keyNames.map((name) => [name, row[name]]));
}
