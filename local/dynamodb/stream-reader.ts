import * as z from 'zod';
import { REGION } from '../assembly/resource-type.ts';
import type { StateFile } from '../state/state-file.ts';
import { type Engine, EngineError, STREAMS } from './engine.ts';
import { Item, keyText } from './tables.ts';

/** One record of a table's stream, as Lambda passes it to functions. */
export const StreamRecord = z.object({
  eventID: z.string(),
  eventName: z.enum(['INSERT', 'MODIFY', 'REMOVE']),
  eventVersion: z.string(),
  eventSource: z.string(),
  awsRegion: z.string(),
  dynamodb: z
    .object({
      Keys: Item,
      SequenceNumber: z.string(),
      ApproximateCreationDateTime: z.number(),
    })
    .loose(),
  eventSourceARN: z.string().optional(),
  userIdentity: z.object({ type: z.string(), principalId: z.string() }).optional(),
});
export type StreamRecord = z.infer<typeof StreamRecord>;

/** The records that one mapping has not delivered yet. */
export interface StreamReader {
  read(): Promise<StreamRecord[]>;
  commit(records: StreamRecord[]): void;
}

export interface ReaderOptions {
  engine: Engine;
  mappingId: string;
  tableName: string;
  streamArn: string;
  startingPosition: 'TRIM_HORIZON' | 'LATEST';
  batchSize: number;
  /** Sequence number of the last delivered record, by mapping. */
  checkpoints: StateFile<Record<string, string>>;
  swept: StateFile<string[]>;
}

const Streams = z.object({ Streams: z.array(z.object({ StreamArn: z.string() })) });
const Description = z.object({
  StreamDescription: z.object({ Shards: z.array(z.object({ ShardId: z.string() })) }),
});
const Iterator = z.object({ ShardIterator: z.string() });
const Records = z.object({
  Records: z.array(StreamRecord),
  NextShardIterator: z.string().optional(),
});

async function firstIterator(options: ReaderOptions): Promise<string | undefined> {
  const { engine, tableName, checkpoints, mappingId } = options;
  const { Streams: streams } = await engine.call(
    `${STREAMS}.ListStreams`,
    { TableName: tableName },
    Streams,
  );
  const StreamArn = streams[0]?.StreamArn;
  const found = await engine.call(`${STREAMS}.DescribeStream`, { StreamArn }, Description);
  const ShardId = found.StreamDescription.Shards[0]?.ShardId;
  if (ShardId === undefined) return undefined;
  const SequenceNumber = checkpoints.read()[mappingId];
  const position =
    SequenceNumber === undefined
      ? { ShardIteratorType: options.startingPosition }
      : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber };
  const input = { StreamArn, ShardId, ...position };
  return (await engine.call(`${STREAMS}.GetShardIterator`, input, Iterator)).ShardIterator;
}

/** Reads a stream, starting after the last delivered record. */
export async function streamReader(options: ReaderOptions): Promise<StreamReader> {
  const { engine, tableName, streamArn, checkpoints, swept, mappingId, batchSize } = options;
  let iterator = await firstIterator(options);

  const toStreamRecord = (record: StreamRecord, keys: ReadonlySet<string>): StreamRecord => {
    const isExpiry =
      record.eventName === 'REMOVE' && keys.has(keyText(tableName, record.dynamodb.Keys));
    const userIdentity = { type: 'Service', principalId: 'dynamodb.amazonaws.com' };
    const named = { ...record, awsRegion: REGION, eventSourceARN: streamArn };
    return isExpiry ? { ...named, userIdentity } : named;
  };

  return {
    async read() {
      iterator ??= await firstIterator(options);
      if (iterator === undefined) return [];
      const input = { ShardIterator: iterator, Limit: batchSize };
      try {
        const page = await engine.call(`${STREAMS}.GetRecords`, input, Records);
        iterator = page.NextShardIterator ?? iterator;
        const all = new Set(swept.read());
        const keys = new Set([...all].filter((text) => !all.has(`${mappingId} ${text}`)));
        return page.Records.map((record) => toStreamRecord(record, keys));
      } catch (error) {
        // The iterator has expired: the next read gets a new one from the checkpoint.
        if (!(error instanceof EngineError)) throw error;
        iterator = undefined;
        return [];
      }
    },
    commit(records) {
      const last = records.at(-1)?.dynamodb.SequenceNumber;
      if (last !== undefined) checkpoints.write({ ...checkpoints.read(), [mappingId]: last });
      // Several mappings read one stream, each in its own time.
      const done = records
        .filter(({ userIdentity }) => userIdentity !== undefined)
        .map(({ dynamodb }) => `${mappingId} ${keyText(tableName, dynamodb.Keys)}`);
      if (done.length > 0) swept.write([...new Set([...swept.read(), ...done])]);
    },
  };
}
