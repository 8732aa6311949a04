import * as z from 'zod';
import { ServiceError } from '../errors.ts';

/** A failure that the next calls of one action get, as when AWS throttles or a quota is used up. */
export const Failure = z.strictObject({
  service: z.enum(['acm', 'cloudfront']),
  /** `RequestCertificate` */
  action: z.string().regex(/^[A-Za-z]+$/),
  /** AWS's name: `ThrottlingException` */
  error: z.string().regex(/^[A-Za-z]+$/),
  times: z.int().min(1).max(1000).default(1),
});
export type Failure = z.infer<typeof Failure>;

/** Failures that a person or a test ordered. */
export type Failures = ReturnType<typeof orderedFailures>;

/** Keeps the ordered failures until calls have got them. */
export function orderedFailures() {
  const waiting: Failure[] = [];
  return {
    add: (failure: Failure) => void waiting.push({ ...failure }),
    /** @throws ServiceError if a failure of this call is left */
    take(service: Failure['service'], action: string): void {
      const index = waiting.findIndex((one) => one.service === service && one.action === action);
      const failure = waiting[index];
      if (failure === undefined) return;
      failure.times -= 1;
      if (failure.times === 0) waiting.splice(index, 1);
      throw new ServiceError(failure.error, 'This failure was ordered.');
    },
  };
}
