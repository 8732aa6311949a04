import { arnOf, ofType } from '../assembly/physical-id.ts';
import type { Clock } from '../time/clock.ts';
import type { LocalDynamoDb } from '../dynamodb/dynamodb.ts';
import { EventDelivery } from '../dynamodb/event-delivery.ts';
import { type EventSource, eventSourceOf } from '../dynamodb/event-source.ts';
import type { Resource } from '../http/http.ts';
import type { Iam } from '../iam/iam.ts';
import type { InvokeResult } from '../lambda/invoke-result.ts';
import { mappedFunction } from './mapped-function.ts';
import { QueueDelivery } from '../sqs/queue-delivery.ts';
import { isQueueMapping, queueSourceOf } from '../sqs/queue-source.ts';
import type { Queues } from '../sqs/queues.ts';
import { StartError } from '../start-error.ts';

export interface EventSourcesOptions {
  resources: Resource[];
  dynamoDb: Pick<LocalDynamoDb, 'streamReader'>;
  iam: Iam;
  queues: Queues;
  clock: Clock;
  invoke(functionArn: string, event: unknown): Promise<InvokeResult>;
  log(line: string): void;
}

/** The event source mappings of the templates, running. */
export interface EventSources {
  /** Delivers what a write may have put into a stream, soon. */
  onWritten(tables: string[]): void;
  /** Delivers all that the streams hold, and waits for it. */
  runStreams(): Promise<void>;
  /** Delivers all that is visible in queues, what comes of it included, and waits for it. */
  runQueues(): Promise<void>;
  close(): void;
}

const STREAM_ACTIONS = ['GetRecords', 'GetShardIterator', 'DescribeStream'];

/** Lambda reads the stream in the name of the function's role; creating the mapping fails without that. */
function checkRole(source: EventSource, { resources, iam }: EventSourcesOptions): EventSource {
  const where = `AWS::Lambda::EventSourceMapping ${source.id}`;
  const { arn: functionArn, role } = mappedFunction(resources, source.functionArn, where);
  const missing = STREAM_ACTIONS.map((action) => `dynamodb:${action}`).find(
    (action) => !iam.roleAllows(role, action, source.streamArn),
  );
  if (missing !== undefined) {
    throw new StartError(`${where}: the function's role does not allow ${missing} on the stream.`);
  }
  const { onFailure } = source;
  if (onFailure === undefined) return { ...source, functionArn };
  const queue = ofType(resources, 'AWS::SQS::Queue').find((one) => arnOf(one) === onFailure);
  if (queue === undefined)
    throw new StartError(`${where}: ${onFailure} is no queue of the templates.`);
  if (!iam.roleAllows(role, 'sqs:SendMessage', onFailure)) {
    throw new StartError(`${where}: the function's role does not allow sqs:SendMessage.`);
  }
  return { ...source, functionArn };
}

async function streamDeliveries(
  mappings: Resource[],
  options: EventSourcesOptions,
): Promise<EventDelivery[]> {
  const sources = mappings
    .map(eventSourceOf)
    .filter(({ enabled }) => enabled)
    .map((source) => checkRole(source, options));
  return Promise.all(
    sources.map(
      async (source) =>
        new EventDelivery(source, {
          reader: await options.dynamoDb.streamReader(source),
          invoke: async (event) => options.invoke(source.functionArn, event),
          sendToQueue: (queueArn, message) =>
            options.queues
              .get(queueArn)
              ?.send({ body: JSON.stringify(message), attributes: {}, senderId: 'lambda' }),
          log: (line) => options.log(line),
        }),
    ),
  );
}

function queueDeliveries(mappings: Resource[], options: EventSourcesOptions): QueueDelivery[] {
  const read = mappings.flatMap((mapping) => queueSourceOf(mapping, options) ?? []);
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

/** Starts every mapping to a function, from a table's stream or from a queue. */
export async function startEventSources(options: EventSourcesOptions): Promise<EventSources> {
  const mappings = ofType(options.resources, 'AWS::Lambda::EventSourceMapping');
  const ofQueues = mappings.filter(isQueueMapping);
  const ofStreams = mappings.filter((mapping) => !ofQueues.includes(mapping));
  const streams = await streamDeliveries(ofStreams, options);
  const queues = queueDeliveries(ofQueues, options);
  const run = (delivery: EventDelivery) =>
    delivery
      .run()
      .catch((error: unknown) => options.log(`${delivery.source.id}: ${String(error)}`));
  return {
    onWritten(tables) {
      for (const delivery of streams) {
        if (tables.includes(delivery.source.tableName)) void run(delivery);
      }
    },
    async runStreams() {
      await Promise.all(streams.map(run));
    },
    async runQueues() {
      do {
        await Promise.all(queues.map(async (delivery) => delivery.run()));
      } while (queues.some((delivery) => delivery.hasWork()));
    },
    close() {
      for (const delivery of [...streams, ...queues]) delivery.close();
    },
  };
}
