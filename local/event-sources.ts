import { arnOf, ofType } from './assembly/physical-id.ts';
import type { LocalDynamoDb } from './dynamodb/dynamodb.ts';
import { EventDelivery } from './dynamodb/event-delivery.ts';
import { type EventSource, eventSourceOf } from './dynamodb/event-source.ts';
import type { Resource } from './http.ts';
import type { Iam } from './iam/iam.ts';
import type { InvokeResult } from './lambda/invoke-result.ts';
import type { Queues } from './queues.ts';
import { StartError } from './start-error.ts';

export interface EventSourcesOptions {
  resources: Resource[];
  dynamoDb: LocalDynamoDb;
  iam: Iam;
  queues: Queues;
  invoke(functionArn: string, event: unknown): Promise<InvokeResult>;
  log(line: string): void;
}

/** The event source mappings of the templates, running. */
export interface EventSources {
  /** Delivers what a write may have put into a stream, soon. */
  onWritten(tables: string[]): void;
  /** Delivers all that the streams hold, and waits for it. */
  runAll(): Promise<void>;
  close(): void;
}

const STREAM_ACTIONS = ['GetRecords', 'GetShardIterator', 'DescribeStream'];

/** Lambda reads the stream in the name of the function's role; creating the mapping fails without that. */
function checkRole(source: EventSource, { resources, iam }: EventSourcesOptions): EventSource {
  const target = ofType(resources, 'AWS::Lambda::Function').find((resource) =>
    arnOf(resource).endsWith(`:${source.functionArn.split(':').at(-1)}`),
  );
  const where = `AWS::Lambda::EventSourceMapping ${source.id}`;
  if (target === undefined) throw new StartError(`${where}: no function ${source.functionArn}.`);
  const role = String(target.properties['Role']);
  const missing = STREAM_ACTIONS.map((action) => `dynamodb:${action}`).find(
    (action) => !iam.roleAllows(role, action, source.streamArn),
  );
  if (missing !== undefined) {
    throw new StartError(`${where}: the function's role does not allow ${missing} on the stream.`);
  }
  const { onFailure } = source;
  if (onFailure === undefined) return { ...source, functionArn: arnOf(target) };
  const queue = ofType(resources, 'AWS::SQS::Queue').find((one) => arnOf(one) === onFailure);
  if (queue === undefined)
    throw new StartError(`${where}: ${onFailure} is no queue of the templates.`);
  if (!iam.roleAllows(role, 'sqs:SendMessage', onFailure)) {
    throw new StartError(`${where}: the function's role does not allow sqs:SendMessage.`);
  }
  return { ...source, functionArn: arnOf(target) };
}

/** Starts every mapping from a table's stream to a function. */
export async function startEventSources(options: EventSourcesOptions): Promise<EventSources> {
  const { resources, dynamoDb, queues } = options;
  const sources = ofType(resources, 'AWS::Lambda::EventSourceMapping')
    .map(eventSourceOf)
    .filter(({ enabled }) => enabled)
    .map((source) => checkRole(source, options));
  const deliveries = await Promise.all(
    sources.map(
      async (source) =>
        new EventDelivery(source, {
          reader: await dynamoDb.streamReader(source),
          invoke: async (event) => options.invoke(source.functionArn, event),
          sendToQueue: (queueArn, message) => queues.send(queueArn, message),
          log: (line) => options.log(line),
        }),
    ),
  );
  const run = (delivery: EventDelivery) =>
    delivery
      .run()
      .catch((error: unknown) => options.log(`${delivery.source.id}: ${String(error)}`));
  return {
    onWritten(tables) {
      for (const delivery of deliveries) {
        if (tables.includes(delivery.source.tableName)) void run(delivery);
      }
    },
    async runAll() {
      await Promise.all(deliveries.map(run));
    },
    close() {
      for (const delivery of deliveries) delivery.close();
    },
  };
}
