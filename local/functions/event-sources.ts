import { arnOf } from '../assembly/resource-types.ts';
import { resourcesOfType, type Resource } from '../assembly/resource.ts';
import type { Clock } from '../time/clock.ts';
import type { LocalDynamoDb } from '../dynamodb/dynamodb.ts';
import { StreamDelivery } from '../dynamodb/stream-delivery.ts';
import { type StreamSource, parseStreamSource } from '../dynamodb/stream-source.ts';
import type { Iam } from '../iam/iam.ts';
import type { InvokeResult } from '../lambda/invoke-result.ts';
import { findMappedFunction } from './functions.ts';
import { QueueDelivery } from '../sqs/queue-delivery.ts';
import { isQueueMapping, parseQueueSource } from '../sqs/queue-source.ts';
import type { Queues } from '../sqs/queues.ts';
import { StartError } from '../errors.ts';

export interface EventSourcesOptions {
  resources: Resource[];
  dynamoDb: Pick<LocalDynamoDb, 'streamReader'>;
  iam: Iam;
  queues: Queues;
  clock: Clock;
  invoke(functionArn: string, event: unknown): Promise<InvokeResult>;
  log(line: string): void;
}

const STREAM_ACTIONS = ['GetRecords', 'GetShardIterator', 'DescribeStream'];

/** Lambda reads the stream with the function's role: without the permission, a deployment fails. */
function checkRole(source: StreamSource, { resources, iam }: EventSourcesOptions): StreamSource {
  const where = `AWS::Lambda::EventSourceMapping ${source.id}`;
  const { arn: functionArn, role } = findMappedFunction(resources, source.functionArn, where);
  const missing = STREAM_ACTIONS.map((action) => `dynamodb:${action}`).find(
    (action) => !iam.roleAllows(role, action, source.streamArn),
  );
  if (missing !== undefined) {
    throw new StartError(`${where}: the function's role does not allow ${missing} on the stream.`);
  }
  const { onFailure } = source;
  if (onFailure === undefined) return { ...source, functionArn };
  const queue = resourcesOfType(resources, 'AWS::SQS::Queue').find(
    (one) => arnOf(one) === onFailure,
  );
  if (queue === undefined)
    throw new StartError(`${where}: ${onFailure} is not a queue of the templates.`);
  if (!iam.roleAllows(role, 'sqs:SendMessage', onFailure)) {
    throw new StartError(`${where}: the function's role does not allow sqs:SendMessage.`);
  }
  return { ...source, functionArn };
}

async function streamDeliveries(
  mappings: Resource[],
  options: EventSourcesOptions,
): Promise<StreamDelivery[]> {
  const sources = mappings.map((mapping) => checkRole(parseStreamSource(mapping), options));
  return Promise.all(
    sources.map(
      async (source) =>
        new StreamDelivery(source, {
          reader: await options.dynamoDb.streamReader(source),
          invoke: async (event) => options.invoke(source.functionArn, event),
          sendToQueue: (queueArn, message) =>
            options.queues
              .get(queueArn)
              ?.send({ body: JSON.stringify(message), senderId: 'lambda' }),
          log: (line) => options.log(line),
        }),
    ),
  );
}

function queueDeliveries(mappings: Resource[], options: EventSourcesOptions): QueueDelivery[] {
  const read = mappings.map((mapping) => parseQueueSource(mapping, options));
  return read.map(
    ({ source, queue }) =>
      new QueueDelivery(source, {
        queue,
        clock: options.clock,
        invoke: async (event) => options.invoke(source.functionArn, event),
        log: (line) => options.log(line),
      }),
  );
}

/** Starts every event source mapping, from table streams and from queues. */
export async function startEventSources(options: EventSourcesOptions) {
  const mappings = resourcesOfType(options.resources, 'AWS::Lambda::EventSourceMapping');
  const ofQueues = mappings.filter(isQueueMapping);
  const ofStreams = mappings.filter((mapping) => !ofQueues.includes(mapping));
  const streams = await streamDeliveries(ofStreams, options);
  const queues = queueDeliveries(ofQueues, options);
  const run = (delivery: StreamDelivery) =>
    delivery
      .run()
      .catch((error: unknown) => options.log(`${delivery.source.id}: ${String(error)}`));
  return {
    /** Delivers new records of these tables' streams, without waiting. */
    onWritten(tables: string[]) {
      for (const delivery of streams) {
        if (tables.includes(delivery.source.tableName)) void run(delivery);
      }
    },
    /** Delivers all records of all streams and waits for it. */
    async runStreams() {
      await Promise.all(streams.map(run));
    },
    /** Delivers all visible messages and the records that they lead to, including what those lead to, and waits for it. */
    async runQueues() {
      do {
        await Promise.all(queues.map(async (delivery) => delivery.run()));
        await Promise.all(streams.map(run));
      } while (queues.some((delivery) => delivery.hasWork()));
    },
    close() {
      for (const delivery of [...streams, ...queues]) delivery.close();
    },
  };
}
