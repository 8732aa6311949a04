import { isAnonymous, type Operation } from '../operation.ts';
import { isWrite } from '../operation-errors.ts';

const text = (description: string) => ({ description, schema: { type: 'string' } });
const number = (description: string) => ({
  description,
  schema: { type: 'integer', minimum: 0 },
});

/** Response headers; the document refers to them by these names. */
export const headerComponents = {
  'X-Request-Id': text('Identifies this request in the logs of the service.'),
  'RateLimit-Limit': number('Number of requests that the strictest limit of this request allows.'),
  'RateLimit-Remaining': number('Number of requests that remain.'),
  'RateLimit-Reset': number('Seconds until the limit resets.'),
  'Retry-After': number('Seconds to wait before the next attempt.'),
  'Idempotency-Replayed': text(
    '`true` if this is the stored answer of an earlier request with the same key.',
  ),
};

/** Request header that every write accepts. */
export const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A unique text that you choose. For 24 hours the same request with the same key gets the stored answer and is not executed again. A different request with the same key is refused. Answers with status 401, 429 or 5xx are not stored.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};

/** References to the response headers of an operation for one status. */
export function headersOf(operation: Operation, status: number) {
  const isLimited = !isAnonymous(operation) || operation.errors.includes('RATE_LIMITED');
  const names: (keyof typeof headerComponents)[] = ['X-Request-Id'];
  if (isLimited) names.push('RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset');
  if (status === 429 || status === 503 || (status === 409 && isWrite(operation)))
    names.push('Retry-After');
  if (isWrite(operation)) names.push('Idempotency-Replayed');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
