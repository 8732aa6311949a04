import * as z from 'zod';
import type { ServiceServer } from '../http/service-server.ts';
import { ServiceError } from '../errors.ts';
import {
  awsJson,
  jsonAnswer,
  jsonBody,
  type ServiceDeps,
  startSignedService,
  targetOf,
} from '../signatures/signed-service.ts';
import { queueNameOf } from './queue-url.ts';
import type { NewMessage, Queue } from './queue.ts';
import type { Queues } from './queues.ts';
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
  /** Of this message alone: a standard queue allows it, also beside MessageGroupId. */
  DelaySeconds: z.int().min(0).max(900).optional(),
});

/** SQS refuses characters that XML 1.0 does not allow. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

function messageOf(input: unknown): Omit<NewMessage, 'senderId'> {
  const parsed = SendMessage.safeParse(input);
  if (!parsed.success)
    throw new ServiceError('InvalidParameterValue', z.prettifyError(parsed.error));
  const { MessageBody: body, MessageGroupId: groupId, DelaySeconds: delaySeconds } = parsed.data;
  if (body === '') {
    throw new ServiceError(
      'MissingParameter',
      'The request must contain the parameter MessageBody.',
    );
  }
  if (FORBIDDEN.test(body)) {
    throw new ServiceError('InvalidMessageContents', 'Message contains invalid characters.');
  }
  if (Buffer.byteLength(body) <= MAX_MESSAGE_BYTES) {
    return {
      body,
      ...(groupId !== undefined && { groupId }),
      ...(delaySeconds !== undefined && { delaySeconds }),
    };
  }
  throw new ServiceError(
    'InvalidParameterValue',
    `One or more parameters are invalid. Reason: Message must be shorter than ${MAX_MESSAGE_BYTES} bytes.`,
  );
}

export interface SqsOptions extends ServiceDeps {
  queues: Queues;
  onCall(operation: string, queueName: string): void;
}

/** The one operation: Lambda receives and deletes messages for the functions. */
const OPERATION = 'SendMessage';

const Target = z.object({ QueueUrl: z.string() });

function queueOf(input: unknown, queues: Queues): Queue {
  const target = Target.safeParse(input);
  if (!target.success) {
    throw new ServiceError('MissingParameter', 'The request must contain the parameter QueueUrl.');
  }
  const queue = queues.named(queueNameOf(target.data.QueueUrl));
  if (queue !== undefined) return queue;
  throw new ServiceError('QueueDoesNotExist', 'The specified queue does not exist.');
}

/** Starts SQS: messages are sent to the queues of the templates. A message is stored before the answer. */
export function startSqs(options: SqsOptions): Promise<ServiceServer> {
  return startSignedService(options, { service: 'sqs', protocol: awsJson }, (call) => {
    const name = targetOf(call);
    if (name !== OPERATION) {
      const message = `The local SQS knows ${OPERATION} only, not '${name}'.`;
      throw new ServiceError('UnsupportedOperation', message);
    }
    const input = jsonBody(call);
    const queue = queueOf(input, options.queues);
    call.requirePermission(`sqs:${OPERATION}`, queue.config.arn);
    options.onCall(name, queue.config.name);
    const senderId = call.caller.split('/').slice(1).join(':');
    const message = messageOf(input);
    const { id } = queue.send({ ...message, senderId });
    return jsonAnswer({ MessageId: id, MD5OfMessageBody: md5OfBody(message.body) });
  });
}
