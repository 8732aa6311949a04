import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../web/app/api/api-error.ts';
import type { Output } from '../web/app/api/contract.ts';
import { interruptedUploads } from './interrupted-uploads.ts';
import type { Options } from './options.ts';
import type { UploadChoices } from './push.ts';
import type { SendOptions } from './send-files.ts';
import type { Session } from './session.ts';

/** The first look comes soon: most uploads are stored in less than a second. Milliseconds. */
const polls = { firstMs: 100, longestMs: 1000 };

export function placeOf({ linked }: Session, projectId: string): string {
  return linked?.projectId === projectId ? linked.url : projectId;
}

export function choicesOf(options: Options): UploadChoices {
  return {
    ...(options.home === undefined ? { home: 'auto' } : { zipIndexHtmlPath: options.home }),
    ...(options['as-files'] === true && { asFileBundle: true }),
    ...(options['include-hidden'] === true && { includeHidden: true }),
    ...(options['take-pictures'] === true && { takePictures: true }),
    ...(options['allow-secrets'] === true && { allowSecrets: true }),
  };
}

export function sendOptions({ service, progress, context }: Session): SendOptions {
  const interrupted = interruptedUploads(context, service);
  return { service, progress, signal: context.signal, interrupted };
}

/** Waits while a worker stores a large upload. @throws ApiError where it is refused */
export async function untilStored(
  { service, progress, context }: Session,
  uploadId: string | undefined,
): Promise<Output<'getUpload'>['warnings']> {
  if (uploadId === undefined) return undefined;
  for (let pollMs = polls.firstMs; ; pollMs = Math.min(polls.longestMs, 2 * pollMs)) {
    const { status, failure, files, warnings } = await service.call('getUpload', { uploadId });
    if (status === 'published') return warnings ?? [];
    if (failure !== null) throw new ApiError(400, failure);
    progress.show(`Storing ${files.done} of ${files.total} files`);
    await sleep(pollMs, undefined, { signal: context.signal });
  }
}
