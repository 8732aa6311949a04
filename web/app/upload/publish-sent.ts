import { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { keepThumbnail } from './draw-thumbnail.ts';
import { pageTitle } from './page-title.ts';
import type { Picked } from './picked.ts';
import { delay } from './send-part.ts';
import {
  FailedWhileStoring,
  noticesOf,
  type UploadChoices,
  type UploadResult,
  type UploadTarget,
} from './upload-state.ts';

/** An upload whose files have been sent. */
interface Sent {
  uploadId: string;
  target: UploadTarget;
  title: string;
  picked: Picked;
  choices: UploadChoices;
  idempotencyKey: string;
}

type Notices = ReturnType<typeof noticesOf>;

const pollMs = 1000;

/**
 * Publishes files that have been sent, waits until they are stored, and draws them small for the list.
 * @throws FailedWhileStoring; ApiError if the request is refused
 */
export async function publishSent(sent: Sent, isCancelled: () => boolean): Promise<UploadResult> {
  const result = await publishStored(sent, isCancelled);
  const { picked, target, choices } = sent;
  if (target.kind !== 'files') {
    await keepThumbnail(picked, { ...result, home: choices.zipIndexHtmlPath }, isCancelled);
  }
  return result;
}

async function publishStored(sent: Sent, isCancelled: () => boolean): Promise<UploadResult> {
  const { uploadId, target, title, choices } = sent;
  if (target.kind === 'version') return publishVersion(sent, target, isCancelled);
  const options = { idempotencyKey: sent.idempotencyKey };
  if (target.kind === 'files') {
    const { projectId } = target;
    const { zipIndexHtmlPath: _, ...others } = choices;
    const { url, warnings } = await call(
      'changeProjectFiles',
      { projectId, uploadId, ...others },
      options,
    );
    return { projectId, url, ...noticesOf(sent.picked, warnings) };
  }
  const named = {
    title: (await pageTitle(sent.picked, choices.zipIndexHtmlPath)) ?? title,
    uploadId,
    ...choices,
  };
  const { projectId, url } = await call('createProject', named, options);
  return { projectId, url, ...(await untilStored(sent, isCancelled)) };
}

/** A plan that keeps only the live version has no drafts: there, the version goes live at once. */
async function publishVersion(
  sent: Sent,
  { projectId, isLive }: Extract<UploadTarget, { kind: 'version' }>,
  isCancelled: () => boolean,
): Promise<UploadResult> {
  const { uploadId, choices } = sent;
  const push = (draft: boolean) => {
    const idempotencyKey = `${sent.idempotencyKey}${draft}`;
    return call(
      'replaceProjectFiles',
      { projectId, uploadId, ...choices, draft },
      { idempotencyKey },
    );
  };
  try {
    if (isLive !== true) {
      const { url, deploymentId } = await push(true);
      const notices = await untilStored(sent, isCancelled);
      return { projectId, url, draft: Number(deploymentId.replace('dep_v', '')), ...notices };
    }
  } catch (error) {
    const isRefused = error instanceof ApiError && error.message.startsWith('`draft`');
    if (!isRefused) throw error;
  }
  const { url } = await push(false);
  return { projectId, url, ...(await untilStored(sent, isCancelled)) };
}

/** Large uploads are unpacked and stored after the request. Returns what was noticed. */
async function untilStored(
  { uploadId, picked }: Sent,
  isCancelled: () => boolean,
): Promise<Notices> {
  while (!isCancelled()) {
    const { status, failure, warnings } = await call('getUpload', { uploadId });
    if (status === 'published') return noticesOf(picked, warnings);
    if (failure !== null) throw new FailedWhileStoring(400, failure);
    await delay(pollMs);
  }
  return {};
}
