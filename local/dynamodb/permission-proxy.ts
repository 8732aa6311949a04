import { Agent, request as httpRequest } from 'node:http';
import * as z from 'zod';
import { isRecord, ServiceError } from '../errors.ts';
import type { ServiceAnswer, ServiceRequest, ServiceServer } from '../http/service-server.ts';
import {
  awsJson,
  jsonAnswer,
  type ServiceDeps,
  type SignedCall,
  startSignedService,
  targetOf,
} from '../signatures/signed-service.ts';
import type { PartitionMeter } from './partition-limits.ts';
import { type PartitionUse, partitionUses } from './partition-use.ts';
import { tableCalls } from './table-calls.ts';
import type { Table } from './tables.ts';
import { type WrittenKey, writtenKeys } from './written-keys.ts';

/** Options of the proxy in front of the engine. */
export interface ProxyOptions extends ServiceDeps {
  engineUrl: string;
  tables: readonly Table[];
  /** Counts what partition keys use; without it nothing is throttled. */
  meter?: PartitionMeter | undefined;
  /** Called once per request and table, before it is forwarded. */
  onCall(operation: string, table: string): void;
  /** Called with the capacity units that a request used, of its tables and their indexes. */
  onCapacity(kind: 'read' | 'write', units: number): void;
  /** Called after a request that may have written. */
  onWritten(tables: string[]): void;
  /** Called with the keys of the rows that a request has written or deleted. */
  onKeysWritten(keys: readonly WrittenKey[]): void;
}

const READS = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan', 'DescribeTable']);

function parseBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding', 'host'];

/** Forwards a request, which also asks for the capacity that it uses, and its response unchanged. */
function forwardTo(engineUrl: string, agent: Agent) {
  return (request: ServiceRequest): Promise<ServiceAnswer> =>
    new Promise((resolve, reject) => {
      const headers = { ...request.headers };
      for (const name of [...HOP_BY_HOP, 'content-length']) delete headers[name];
      const outgoing = httpRequest(
        engineUrl,
        { method: request.method, headers, agent },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () => {
            const kept = Object.entries(answer.headers).filter(
              ([name]) => !HOP_BY_HOP.includes(name),
            );
            const headers = Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
            resolve({ status: answer.statusCode ?? 502, headers, body: Buffer.concat(chunks) });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(askingForCapacity(request.body));
    });
}

/** DynamoDB's refusal for a partition key that used up its second. */
function throttledAnswer(operation: string, body: unknown, use: PartitionUse): ServiceAnswer {
  const message =
    'Throughput exceeds the current capacity of your table or index. If exceptions persist, check if you have a hot key.';
  if (!operation.startsWith('Transact')) {
    const type =
      use.kind === 'read' ? 'ProvisionedThroughputExceededException' : 'ThrottlingException';
    throw new ServiceError(type, message);
  }
  const items = isRecord(body) && Array.isArray(body['TransactItems']) ? body['TransactItems'] : [];
  const CancellationReasons = items.map((_, index) =>
    index === use.index ? { Code: 'ThrottlingError', Message: message } : { Code: 'None' },
  );
  const Message = 'Transaction cancelled, please refer cancellation reasons for specific reasons';
  const __type = 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException';
  return jsonAnswer({ __type, Message, CancellationReasons }, 400);
}

function reportWrite(
  options: ProxyOptions,
  { tables, body, answer }: { tables: string[]; body: unknown; answer: ServiceAnswer },
): void {
  if (answer.status === 200) options.onKeysWritten(writtenKeys(options.tables, body));
  options.onWritten(tables);
}

/** DynamoDB for functions: checks each call against the caller's role, counts it and forwards it. */
export async function startPermissionProxy(options: ProxyOptions): Promise<ServiceServer> {
  const agent = new Agent({ keepAlive: true });
  const forward = forwardTo(options.engineUrl, agent);
  const kind = { service: 'dynamodb', protocol: awsJson };
  const server = await startSignedService(options, kind, (call) => answer(options, forward, call));
  return {
    url: server.url,
    async close() {
      await server.close();
      agent.destroy();
    },
  };
}

async function answer(
  options: ProxyOptions,
  forward: (request: ServiceRequest) => Promise<ServiceAnswer>,
  request: SignedCall,
): Promise<ServiceAnswer> {
  const { meter } = options;
  const operation = targetOf(request);
  const body = parseBody(request.body);
  const calls = tableCalls(operation, body);
  if (calls === undefined) {
    throw new ServiceError(
      'UnknownOperationException',
      'The local DynamoDB does not support this operation for functions.',
    );
  }
  for (const { action, resource } of calls) request.requirePermission(action, resource);
  const tables = [...new Set(calls.map(({ table }) => table))];
  for (const table of tables) options.onCall(operation, table);
  const uses = meter === undefined ? [] : partitionUses(options.tables, operation, body);
  const exceeded = meter?.admit(uses);
  if (exceeded !== undefined) return throttledAnswer(operation, body, exceeded);
  const answered = await forward(request);
  meter?.addReads(uses, answered.body.length);
  const isRead = READS.has(operation);
  options.onCapacity(isRead ? 'read' : 'write', consumedCapacity(answered.body));
  if (!isRead) reportWrite(options, { tables, body, answer: answered });
  return answered;
}

const Capacity = z.object({ CapacityUnits: z.number() });
const Answer = z.object({
  ConsumedCapacity: z.union([Capacity.transform((one) => [one]), z.array(Capacity)]).default([]),
});

const ASKED = '{"ReturnConsumedCapacity":"TOTAL"';

/** The request, which also asks the engine for the capacity units that it uses. */
function askingForCapacity(body: Buffer): Buffer {
  const text = body.toString('utf8');
  if (text.includes('"ReturnConsumedCapacity"')) return body;
  const rest = text.trimStart().slice(1);
  return Buffer.from(rest.trim() === '}' ? `${ASKED}}` : `${ASKED},${rest}`);
}

/**
 * Capacity units of all tables and indexes of a request; a failed request has none here, although
 * DynamoDB bills a condition that failed.
 */
function consumedCapacity(body: Buffer | string): number {
  const answer = Answer.safeParse(JSON.parse(body.toString()));
  if (!answer.success) return 0;
  return answer.data.ConsumedCapacity.reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
}
