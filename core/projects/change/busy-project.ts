import { CodedError } from '../../errors.ts';

/**
 * Other changes of a project were faster each time, and nothing was written. It is no CodedError, because that would
 * end the job of a worker, which tries again.
 */
export class BusyProject extends Error {
  constructor() {
    super('other changes of a project were faster each time');
  }

  /** What somebody is told who waits for the change. */
  get refusal(): CodedError<'UNAVAILABLE'> {
    const error =
      'Many others are changing this project at this moment. Nothing of yours was kept.';
    // Senders of files read it too, on their page.
    const nextStep = 'Wait some seconds, then send the same again.';
    const fields = { error, nextStep, retryAfterSeconds: 5 };
    return new CodedError('UNAVAILABLE', fields, { cause: this });
  }
}

/** @throws CodedError UNAVAILABLE where others were faster each time; errors of `work` */
export async function refuseBusy<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof BusyProject ? error.refusal : error;
  }
}
