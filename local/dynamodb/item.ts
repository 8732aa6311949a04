import * as z from 'zod';

/** An item or a key, in DynamoDB's own JSON. */
export const Item = z.record(z.string(), z.unknown());
export type Item = z.infer<typeof Item>;

/** An item's key as one string. */
export function keyText(tableName: string, key: Item): string {
  return `${tableName} ${JSON.stringify(Object.entries(key).toSorted(([a], [b]) => (a < b ? -1 : 1)))}`;
}
