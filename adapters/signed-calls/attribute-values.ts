import * as z from 'zod/mini';

const Text = z.string();
const List = z.array(z.unknown());
const Item = z.record(z.string(), z.unknown());

/** Converts an item from DynamoDB's JSON to plain values; binary values become `Uint8Array`. */
export function fromAttributeValues(item: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(Item.parse(item)).map(([name, value]) => [name, plainValue(value)]),
  );
}

/** One attribute value: `{"S":"text"}`, `{"N":"7"}`, `{"B":"base64"}`, … */
function plainValue(value: unknown): unknown {
  const [[type, content] = ['none', undefined]] = Object.entries(Item.parse(value));
  switch (type) {
    case 'S':
    case 'BOOL':
      return content;
    case 'N':
      return Number(content);
    case 'NULL':
      return null;
    case 'B':
      return new Uint8Array(Buffer.from(Text.parse(content), 'base64'));
    case 'L':
      return List.parse(content).map(plainValue);
    case 'M':
      return fromAttributeValues(content);
    default:
      throw new Error(`unsupported attribute type ${type}`);
  }
}
