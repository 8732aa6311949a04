import * as z from 'zod';

const Text = z.string();
const List = z.array(z.unknown());
const Item = z.record(z.string(), z.unknown());

/** A row as DynamoDB sends it in JSON, as plain values; bytes as `Uint8Array`. */
export function plainItem(item: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(Item.parse(item)).map(([name, value]) => [name, plain(value)]),
  );
}

/** One attribute value: `{"S":"text"}`, `{"N":"7"}`, `{"B":"base64"}`, … */
function plain(value: unknown): unknown {
  const [[type, held] = ['nothing', undefined]] = Object.entries(Item.parse(value));
  switch (type) {
    case 'S':
    case 'BOOL':
      return held;
    case 'N':
      return Number(held);
    case 'NULL':
      return null;
    case 'B':
      return new Uint8Array(Buffer.from(Text.parse(held), 'base64'));
    case 'L':
      return List.parse(held).map(plain);
    case 'M':
      return plainItem(held);
    default:
      throw new Error(`no row of ours has an attribute of type ${type}`);
  }
}
