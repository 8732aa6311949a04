import { afterEach, expect } from '@jest/globals';
import { startEventSources } from '../../functions/event-sources.ts';
import type { Resource } from '../../assembly/resource.ts';
import type { InvokeResult } from '../../lambda/invoke-result.ts';
import { anIam } from '../an-iam.ts';
import { aQueue, arnOfQueue, queueNamed, someQueues } from './a-queue.ts';

export const READ = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
export const processed: InvokeResult = { ok: true, payload: null, requestId: 'r' };
export const failed: InvokeResult = { ok: false, errorType: 'Error', errorMessage: 'no' };

export interface Record {
  messageId: string;
  body: string;
  attributes: { [name: string]: string };
}
export type Answer = (records: Record[], call: number) => InvokeResult | Promise<InvokeResult>;

export const running: Awaited<ReturnType<typeof startEventSources>>[] = [];
afterEach(() => {
  for (const sources of running.splice(0)) sources.close();
});

export function aFunction(Timeout?: number): Resource {
  return {
    stack: 'Stack',
    logicalId: 'Worker',
    type: 'AWS::Lambda::Function',
    properties: { FunctionName: 'worker', Role: 'arn:aws:iam::000000000000:role/Role', Timeout },
  };
}

export function aMapping(properties: object = {}): Resource {
  return {
    stack: 'Stack',
    logicalId: 'Mapping',
    type: 'AWS::Lambda::EventSourceMapping',
    properties: { EventSourceArn: arnOfQueue('jobs'), FunctionName: 'worker', ...properties },
  };
}

export interface Setup {
  queue?: object;
  mapping?: object;
  timeout?: number;
  actions?: string[];
  answer?: Answer;
  /** Whether the function reads the dead letter queue too. */
  alsoDead?: boolean;
}

/** A queue `jobs` with a dead letter queue, and a function that reads it. */
export async function start(setup: Setup) {
  const { queue = {}, mapping = {}, timeout, actions = READ, answer, alsoDead } = setup;
  const more = alsoDead ? [aMapping({ EventSourceArn: arnOfQueue('dead') })] : [];
  const resources = [aQueue('jobs', queue), aQueue('dead')];
  const { queues, clock } = someQueues(...resources);
  const batches: Record[][] = [];
  const logged: string[] = [];
  const sources = await startEventSources({
    resources: [...resources, aFunction(timeout), aMapping(mapping), ...more],
    dynamoDb: { streamReader: async () => ({ read: async () => [], commit: () => undefined }) },
    iam: anIam(actions).iam,
    queues,
    clock,
    invoke: async (functionArn, event) => {
      expect(functionArn).toBe('arn:aws:lambda:us-east-1:000000000000:function:worker');
      const { Records } = event as { Records: Record[] };
      batches.push(Records);
      return answer?.(Records, batches.length) ?? processed;
    },
    log: (line) => logged.push(line),
  });
  running.push(sources);
  const bodies = () => batches.map((batch) => batch.map(({ body }) => body));
  const jobs = queueNamed(queues, 'jobs');
  return { queues, jobs, clock, sources, batches, bodies, logged };
}

export async function until(condition: () => boolean): Promise<number> {
  const begin = performance.now();
  while (!condition() && performance.now() - begin < 5000) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return performance.now() - begin;
}
