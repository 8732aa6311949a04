import * as z from 'zod';
import { StartError } from '../errors.ts';
import { DYNAMODB, type Engine, EngineError } from './engine.ts';
import { parseProperties, type Resource } from '../assembly/resource.ts';

const Key = z.array(
  z.strictObject({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }),
);

/** The properties of an `AWS::DynamoDB::Table` that have a local effect; the others are about durability and encryption. */
const TableProperties = z.object({
  KeySchema: Key,
  AttributeDefinitions: z.array(
    z.strictObject({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) }),
  ),
  BillingMode: z.literal('PAY_PER_REQUEST'),
  GlobalSecondaryIndexes: z
    .array(z.strictObject({ IndexName: z.string(), KeySchema: Key, Projection: z.unknown() }))
    .optional(),
  StreamSpecification: z.strictObject({ StreamViewType: z.string() }).optional(),
  TimeToLiveSpecification: z
    .strictObject({ AttributeName: z.string(), Enabled: z.boolean() })
    .optional(),
});

/** One table of the templates. */
export interface Table {
  name: string;
  keyNames: string[];
  /** The attribute with the expiry time in seconds. */
  ttlAttribute: string | undefined;
  hasStream: boolean;
  properties: z.infer<typeof TableProperties>;
}

/** Parses an `AWS::DynamoDB::Table`. */
export function parseTable(resource: Resource, name: string): Table {
  const properties = parseProperties(resource, TableProperties);
  const { KeySchema, StreamSpecification, TimeToLiveSpecification } = properties;
  return {
    name,
    keyNames: KeySchema.map(({ AttributeName }) => AttributeName),
    ttlAttribute: TimeToLiveSpecification?.Enabled
      ? TimeToLiveSpecification.AttributeName
      : undefined,
    hasStream: StreamSpecification !== undefined,
    properties: properties,
  };
}

const Described = z.object({
  Table: z.object({
    KeySchema: Key,
    GlobalSecondaryIndexes: z
      .array(z.object({ IndexName: z.string(), KeySchema: Key }))
      .default([]),
    StreamSpecification: z.object({ StreamViewType: z.string().optional() }).optional(),
  }),
});

/** The parts of a table that cannot be changed in place, as one comparable string. */
function shape(
  table: Pick<Table['properties'], 'KeySchema' | 'StreamSpecification'> & {
    GlobalSecondaryIndexes?: { IndexName: string; KeySchema: unknown }[] | undefined;
  },
): string {
  const indexes = (table.GlobalSecondaryIndexes ?? []).map(({ IndexName, KeySchema }) => [
    IndexName,
    JSON.stringify(KeySchema),
  ]);
  return JSON.stringify([
    table.KeySchema,
    indexes.toSorted(([a = ''], [b = '']) => a.localeCompare(b)),
    table.StreamSpecification?.StreamViewType ?? '',
  ]);
}

async function existingShape(engine: Engine, name: string): Promise<string | undefined> {
  try {
    const { Table } = await engine.call(
      `${DYNAMODB}.DescribeTable`,
      { TableName: name },
      Described,
    );
    const StreamViewType = Table.StreamSpecification?.StreamViewType;
    return shape({
      ...Table,
      StreamSpecification: StreamViewType ? { StreamViewType } : undefined,
    });
  } catch (error) {
    if (error instanceof EngineError && error.type === 'ResourceNotFoundException')
      return undefined;
    throw error;
  }
}

/** Creates a table unless it exists; an existing table with other keys, indexes or streams stops the start. */
export async function createTable(engine: Engine, { name, properties }: Table): Promise<void> {
  const found = await existingShape(engine, name);
  if (found !== undefined) {
    if (found === shape(properties)) return;
    throw new StartError(
      `Table ${name} has other keys, indexes or streams now. Start with --fresh.`,
    );
  }
  const { StreamSpecification, TimeToLiveSpecification, ...rest } = properties;
  const stream = StreamSpecification && {
    StreamSpecification: { StreamEnabled: true, ...StreamSpecification },
  };
  const input = { TableName: name, ...rest, ...stream };
  await engine.call(`${DYNAMODB}.CreateTable`, input, z.unknown());
  if (TimeToLiveSpecification === undefined) return;
  const ttl = { TableName: name, TimeToLiveSpecification };
  await engine.call(`${DYNAMODB}.UpdateTimeToLive`, ttl, z.unknown());
}

/** An item or a key, in DynamoDB's own JSON. */
export const Item = z.record(z.string(), z.unknown());
export type Item = z.infer<typeof Item>;

/** An item's key as one string. */
export function keyText(tableName: string, key: Item): string {
  return `${tableName} ${JSON.stringify(Object.entries(key).toSorted(([a], [b]) => (a < b ? -1 : 1)))}`;
}
