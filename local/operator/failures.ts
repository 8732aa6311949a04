import * as z from 'zod';

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
export interface Failures {
  add(failure: Failure): void;
  /** The error that this call gets, if one is left. */
  take(service: Failure['service'], action: string): string | undefined;
}

/** Keeps the ordered failures until calls have got them. */
export function orderedFailures(): Failures {
  const waiting: Failure[] = [];
  return {
    add: (failure) => void waiting.push({ ...failure }),
    take(service, action) {
      const index = waiting.findIndex((one) => one.service === service && one.action === action);
      const failure = waiting[index];
      if (failure === undefined) return undefined;
      failure.times -= 1;
      if (failure.times === 0) waiting.splice(index, 1);
      return failure.error;
    },
  };
}
