import * as z from 'zod/mini';
import { Instant } from '../../../contract/visits/visit-fields.ts';
import { CodedError } from '../../errors.ts';
import { hasExpired, instant, plusSeconds } from '../../instants.ts';
import { jobLifeSeconds, type UploadJob } from '../../uploads/job.ts';
import type { NamedPreview } from '../previews/named-preview.ts';

/**
 * A push that waits for a worker, in the row of its project. The worker publishes it only while it is listed there:
 * what is deleted after a push was begun stays deleted.
 */
export const WaitingPush = z.object({
  /** The number that its version gets. */
  number: z.int().check(z.positive()),
  /** The name of the preview that is to show it. */
  preview: z.optional(z.string()),
  /** When no worker publishes it any more. */
  expiresAt: Instant,
});
export type WaitingPush = z.infer<typeof WaitingPush>;

/** A project, as far as its waiting pushes. */
interface Waiting {
  waitingPushes?: WaitingPush[] | undefined;
}
type JobPlace = Pick<UploadJob, 'number' | 'preview'>;

/** Keeps the row small, whatever an account sends: the oldest pushes beyond this are given up. */
const maxWaiting = 100;

/** The list with one more push. Pure. */
export function addWaitingPush(
  { waitingPushes = [] }: Waiting,
  { number, preview }: JobPlace,
  now: Date,
): WaitingPush[] {
  const expiresAt = instant(plusSeconds(now, jobLifeSeconds));
  const push = { number, ...(preview !== undefined && { preview: preview.name }), expiresAt };
  return [...waitingPushes.filter((one) => !hasExpired(one, now)), push].slice(-maxWaiting);
}

/** The list without one push, whose version is published. Pure. */
export function withoutPush({ waitingPushes = [] }: Waiting, number: number): WaitingPush[] {
  return waitingPushes.filter((one) => one.number !== number);
}

/** The list without the pushes of a preview: all of them, or those before a later one. Pure. */
export function withoutPushesOf(
  { waitingPushes = [] }: Waiting,
  name: string,
  before = Number.POSITIVE_INFINITY,
): WaitingPush[] {
  return waitingPushes.filter(({ preview, number }) => preview !== name || number >= before);
}

/** Whether a push of this preview waits. Pure. */
export function isPushWaiting({ waitingPushes = [] }: Waiting, name: string, now: Date): boolean {
  return waitingPushes.some((one) => one.preview === name && !hasExpired(one, now));
}

/**
 * Refuses a queued push whose place in the list is gone: its preview was deleted or shows a later push, or its
 * project was deleted and restored.
 * @throws CodedError NOT_FOUND, VERSION_CONFLICT
 */
export function requireWaiting(
  { waitingPushes = [], previews = [] }: Waiting & { previews?: NamedPreview[] | undefined },
  number: number,
  preview: string | undefined,
): void {
  if (waitingPushes.some((one) => one.number === number)) return;
  const nextStep = 'Nothing was kept. If these files are still wanted, push them again.';
  if (preview === undefined) {
    const error = 'The project was deleted after this push was begun, and restored without it.';
    throw new CodedError('NOT_FOUND', { error, nextStep });
  }
  const isReplaced = previews.some(({ name, version }) => name === preview && version > number);
  throw isReplaced
    ? new CodedError('VERSION_CONFLICT', {
        error: 'A later push of this preview was published first.',
        nextStep,
      })
    : new CodedError('NOT_FOUND', {
        error: 'The preview was deleted, or pushed again, after this push was begun.',
        nextStep,
      });
}
