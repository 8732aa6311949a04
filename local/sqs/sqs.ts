import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Clock } from '../time/clock.ts';
import type { Iam } from '../iam/iam.ts';
import { queryRefusalCode, signerOf } from '../signatures/signed-call.ts';
import {
  type ServiceAnswer,
  type ServiceRequest,
  type ServiceServer,
  startServiceServer,
} from '../http/service-server.ts';
import { queueNameOf } from './queue-url.ts';
import type { Queue } from './queue.ts';
import type { Queues } from './queues.ts';
import { sendMessage } from './send-message.ts';
import { SqsError } from './sqs-error.ts';

export interface SqsOptions {
  clock: Clock;
  iam: Pick<Iam, 'allows' | 'callerArn' | 'secretFor'>;
  queues: Queues;
  onCall(operation: string, queueName: string): void;
}

/** The one operation: Lambda receives and deletes messages for the functions. */
const OPERATION = 'SendMessage';
const ACTION = `sqs:${OPERATION}`;

const Target = z.object({ QueueUrl: z.string() });

function json(status: number, body: unknown, headers: Record<string, string> = {}): ServiceAnswer {
  return {
    status,
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amzn-requestid': randomUUID(),
      ...headers,
    },
    body: JSON.stringify(body),
  };
}

function inputOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new SqsError('InvalidParameterValue', 'The body is not JSON.');
  }
}

function queueOf(input: unknown, queues: Queues): Queue {
  const target = Target.safeParse(input);
  if (!target.success) {
    throw new SqsError('MissingParameter', 'The request must contain the parameter QueueUrl.');
  }
  const queue = queues.named(queueNameOf(target.data.QueueUrl));
  if (queue !== undefined) return queue;
  throw new SqsError('QueueDoesNotExist', 'The specified queue does not exist.');
}

function answer(options: SqsOptions, request: ServiceRequest): unknown {
  const { iam, queues } = options;
  const accessKeyId = signerOf(
    request,
    { ...options, service: 'sqs' },
    (reason, message) => new SqsError(queryRefusalCode(reason), message),
  );
  const name = /^AmazonSQS\.(\w+)$/.exec(request.headers['x-amz-target'] ?? '')?.[1] ?? '';
  if (name !== OPERATION) {
    throw new SqsError(
      'UnsupportedOperation',
      `The local SQS knows ${OPERATION} only, not '${name}'.`,
    );
  }
  const input = inputOf(request.body);
  const queue = queueOf(input, queues);
  const caller = iam.callerArn(accessKeyId);
  const resource = queue.config.arn;
  if (!iam.allows({ accessKeyId, action: ACTION, resource })) {
    throw new SqsError(
      'AccessDeniedException',
      `User: ${caller} is not authorized to perform: ${ACTION.toLowerCase()} on resource: ${resource} because no identity-based policy allows the ${ACTION.toLowerCase()} action`,
    );
  }
  options.onCall(name, queue.config.name);
  const senderId = caller.split('/').slice(1).join(':');
  return sendMessage({ queue, senderId, input });
}

/** Starts SQS: messages are sent to the queues of the templates. */
export function startSqs(options: SqsOptions): Promise<ServiceServer> {
  return startServiceServer(options.clock, async (request) => {
    try {
      return json(200, answer(options, request));
    } catch (error) {
      if (!(error instanceof SqsError)) throw error;
      const { status, type, queryCode, message } = error;
      const headers = { 'x-amzn-query-error': `${queryCode};Sender` };
      return json(status, { __type: type, message }, headers);
    }
  });
}
