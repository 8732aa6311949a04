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
import { SqsError } from './sqs-error.ts';
import { md5OfBody } from './message-log.ts';

/** The largest message: 1 MiB. */
const MAX_MESSAGE_BYTES = 1_048_576;

const SendMessage = z.strictObject({
  QueueUrl: z.string(),
  MessageBody: z.string().default(''),
  /** 1 to 128 letters, digits and punctuation (SQS API reference, SendMessage). */
  MessageGroupId: z
    .string()
    .regex(/^[!-~]{1,128}$/)
    .optional(),
});

/** One authorized call of an operation on a queue. */
interface QueueCall {
  queue: Queue;
  senderId: string;
  input: unknown;
}

/** SQS refuses characters that XML 1.0 does not allow. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

function messageOf(input: unknown): { body: string; groupId?: string } {
  const parsed = SendMessage.safeParse(input);
  if (!parsed.success) throw new SqsError('InvalidParameterValue', z.prettifyError(parsed.error));
  const { MessageBody: body, MessageGroupId: groupId } = parsed.data;
  if (body === '') {
    throw new SqsError('MissingParameter', 'The request must contain the parameter MessageBody.');
  }
  if (FORBIDDEN.test(body)) {
    throw new SqsError('InvalidMessageContents', 'Message contains invalid characters.');
  }
  if (Buffer.byteLength(body) <= MAX_MESSAGE_BYTES) {
    return { body, ...(groupId !== undefined && { groupId }) };
  }
  throw new SqsError(
    'InvalidParameterValue',
    `One or more parameters are invalid. Reason: Message must be shorter than ${MAX_MESSAGE_BYTES} bytes.`,
  );
}

/** `SendMessage`: stores one message before it answers. */
function sendMessage({ queue, senderId, input }: QueueCall): Record<string, unknown> {
  const message = messageOf(input);
  const { id } = queue.send({ ...message, senderId });
  return { MessageId: id, MD5OfMessageBody: md5OfBody(message.body) };
}

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
