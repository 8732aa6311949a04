import { formatBytes } from '../../pages/parts/format.ts';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import type { Output } from '../api/contract.ts';
import type { PickedFile } from '../upload/picked.ts';
import { FailedWhileStoring } from '../upload/upload-state.ts';
import { ConnectionLostError, delay, sendPart } from '../upload/send-part.ts';
import { filesText } from './texts.ts';
import { at, showProgress, showPublishing } from './panels.ts';
import type { Send } from './send-form.ts';

/** Files sent at once: more would share the same connection. */
const maxParallel = 3;
const maxAttempts = 3;
const pollSeconds = 3;

/**
 * Sends files straight into storage, then publishes them with an upload link, and waits until they are
 * stored. An answer to a question publishes what was sent; after a failure while storing, of which nothing
 * is kept, all files are sent again.
 */
export function storageSender(link: string, files: readonly PickedFile[]): Send {
  let uploadId: string | undefined;
  return async (choices, signal) => {
    uploadId ??= await sendAll(link, files, signal);
    showProgress(1);
    showPublishing();
    at('stage').focus({ preventScroll: true });
    at('cancel').hidden = true;
    const data = await call('publishByLink', { link, uploadId, ...choices });
    const queuedId = 'receipt' in data ? data.receipt.uploadId : data.uploadId;
    if (queuedId === undefined) return { data, date: null };
    try {
      const { warnings } = await untilStored(link, queuedId);
      return { data: 'receipt' in data ? data : { ...data, warnings }, date: null };
    } catch (error) {
      uploadId = undefined;
      throw error;
    }
  };
}

async function sendAll(
  link: string,
  files: readonly PickedFile[],
  signal: AbortSignal,
): Promise<string> {
  const total = files.reduce((sum, { file }) => sum + file.size, 0);
  const sent = files.map(() => 0);
  const update = (index: number, bytes: number) => {
    sent[index] = bytes;
    const all = Math.min(
      total,
      sent.reduce((sum, one) => sum + one, 0),
    );
    at('what').textContent =
      `${filesText(files.length)}, ${formatBytes(all)} of ${formatBytes(total)}`;
    showProgress(all / total);
  };
  update(0, 0);
  const declared = files.map(({ path, file }) => ({ path, size: file.size }));
  const { parts, uploadId } = await call('beginLinkUpload', { link, files: declared }, { signal });
  const waiting = [...files.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, { file }] = next;
      const url = parts[index]?.url ?? '';
      await sendOne({ url, file, onSent: (bytes) => update(index, bytes) }, signal);
    }
  };
  try {
    await Promise.all(Array.from({ length: maxParallel }, work));
  } finally {
    // After a failure no other file is begun.
    waiting.length = 0;
  }
  return uploadId;
}

interface OneFile {
  url: string;
  file: File;
  onSent: (bytes: number) => void;
}

async function sendOne({ url, file, onSent }: OneFile, signal: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await sendPart({ url, file, contentType: '', onProgress: onSent }, signal);
      onSent(file.size);
      return;
    } catch (error) {
      const isOver = signal.aborted || attempt === maxAttempts;
      if (isOver || !(error instanceof ConnectionLostError)) throw error;
      await delay(1000);
    }
  }
}

/** A failed request here changes nothing: the service continues to publish. */
async function untilStored(link: string, uploadId: string): Promise<Output<'getLinkUpload'>> {
  for (;;) {
    try {
      const upload = await call('getLinkUpload', { link, uploadId });
      if (upload.failure !== null) throw new FailedWhileStoring(400, upload.failure);
      if (upload.status === 'published') return upload;
      const { done, total } = upload.files;
      at('what').textContent = `${done} of ${filesText(total)}`;
      await delay(pollSeconds * 1000);
    } catch (error) {
      if (error instanceof FailedWhileStoring) throw error;
      const wait = error instanceof ApiError ? error.retryAfterSeconds : undefined;
      await delay((wait ?? pollSeconds) * 1000);
    }
  }
}
