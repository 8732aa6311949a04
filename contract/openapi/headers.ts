import type { Operation } from '../operation.ts';
import { isWrite } from '../operation-errors.ts';

const text = (description: string) => ({ description, schema: { type: 'string' } });
const number = (description: string) => ({
  description,
  schema: { type: 'integer', minimum: 0 },
});

/** Headers of answers; the document refers to them by these names. */
export const headerComponents = {
  'X-Request-Id': text('Names this request in the logs of the service.'),
  'RateLimit-Limit': number('Requests that the tightest limit of this request allows.'),
  'RateLimit-Remaining': number('How many of them are left.'),
  'RateLimit-Reset': number('Seconds until more are left.'),
  'Retry-After': number('Seconds to wait before the next try.'),
  'Idempotency-Replayed': text('`true` where an earlier request with this key was answered.'),
};

/** What a write may carry. */
export const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A text of your own. For 24 hours the same request with the same key gets the same answer and does nothing twice; another request with it is refused. Answers 401, 429 and 5xx are not kept.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};

/** The headers of an operation's answers with one status. */
export function headersOf(operation: Operation, status: number) {
  const isLimited = operation.auth !== 'none' || operation.errors.includes('RATE_LIMITED');
  const names: (keyof typeof headerComponents)[] = ['X-Request-Id'];
  if (isLimited) names.push('RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset');
  if (status === 429 || (status === 409 && isWrite(operation))) names.push('Retry-After');
  if (isWrite(operation)) names.push('Idempotency-Replayed');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
