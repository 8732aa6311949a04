import { formatBytes } from '../../pages/parts/format.ts';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import type { Output } from '../api/contract.ts';
import { forgetUpload, interruptedUploads, keepUpload } from '../upload/interrupted.ts';
import { factsOf, type PickedFile, sameFiles } from '../upload/picked.ts';
import { FailedWhileStoring, type InterruptedUpload } from '../upload/upload-state.ts';
import { ConnectionLostError, delay, sendPart, StorageError } from '../upload/send-part.ts';
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
 * is kept, all files are sent again. What a reload interrupts goes on when the same files are chosen again.
 */
export function storageSender(link: string, files: readonly PickedFile[]): Send {
  let uploadId: string | undefined;
  return async (choices, signal) => {
    uploadId ??= await sendAll(link, files, signal);
    showProgress(1);
    showPublishing();
    at('stage').focus({ preventScroll: true });
    at('cancel').hidden = true;
    const data = await call('publishByLink', { link, uploadId, ...choices }).catch((error) => {
      if (error instanceof ApiError && error.status === 404) uploadId = forgotten(link);
      throw error;
    });
    forgetUpload(link);
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

/** An upload that was used or has ended is begun anew. */
function forgotten(link: string): undefined {
  forgetUpload(link);
}

async function sendAll(
  link: string,
  picked: readonly PickedFile[],
  signal: AbortSignal,
): Promise<string> {
  const { upload, files } = interruptedBy(link, picked) ?? (await begin(link, picked, signal));
  const total = files.reduce((sum, { file }) => sum + file.size, 0);
  const { parts, uploadId } = upload.announced;
  const bodies = bodiesOf(files, parts);
  const complete = new Set(upload.complete);
  const sent = bodies.map(({ size }, index) => (complete.has(index) ? size : 0));
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
  update(0, sent[0] ?? 0);
  const waiting = [...bodies.entries()].filter(([index]) => !complete.has(index));
  const keep = keeper(() => keepUpload({ ...upload, complete: [...complete] }));
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, body] = next;
      const url = parts[index]?.url ?? '';
      await sendOne({ url, body, onSent: (bytes) => update(index, bytes) }, signal);
      complete.add(index);
      keep();
    }
  };
  try {
    await Promise.all(Array.from({ length: maxParallel }, work));
  } catch (error) {
    // Its addresses do not work any more.
    if (error instanceof StorageError) forgetUpload(link);
    throw error;
  } finally {
    // After a failure no other file is begun.
    waiting.length = 0;
  }
  return uploadId;
}

/** Once a second: writing it for each of thousands of small files would take longer than sending them. */
function keeper(keep: () => void): () => void {
  let keptAt = 0;
  return () => {
    if (Date.now() - keptAt < 1000) return;
    keptAt = Date.now();
    keep();
  };
}

/** An upload, and its files in the order in which they were announced. */
interface BegunUpload {
  upload: InterruptedUpload;
  files: readonly PickedFile[];
}

/** The upload of the same files that a reload or a lost connection interrupted. */
function interruptedBy(link: string, files: readonly PickedFile[]): BegunUpload | undefined {
  const leftOut = { files: [], paths: [] };
  for (const upload of interruptedUploads(link, Date.now())) {
    const same = sameFiles(upload, { name: '', files: [...files], leftOut });
    if (same?.files.length === files.length) return { upload, files: same.files };
  }
  return undefined;
}

async function begin(
  link: string,
  files: readonly PickedFile[],
  signal: AbortSignal,
): Promise<BegunUpload> {
  const declared = files.map(({ path, file }) => ({ path, size: file.size }));
  const wanted = { link, files: declared, inParts: true };
  const announced = await call('beginLinkUpload', wanted, { signal });
  const nothing = { title: '', target: { kind: 'project' }, idempotencyKey: '' } as const;
  const facts = factsOf({ files });
  const upload = { ...nothing, id: link, account: link, files: facts, announced, complete: [] };
  keepUpload(upload);
  return { upload, files };
}

/** The bytes of each part. Parts are in the order of the files, which may have got other names. */
function bodiesOf(
  files: readonly PickedFile[],
  parts: InterruptedUpload['announced']['parts'],
): Blob[] {
  let number = -1;
  return parts.map(({ offset = 0, size }) => {
    if (offset === 0) number += 1;
    const file = files[number]?.file ?? new Blob();
    return size === undefined ? file : file.slice(offset, offset + size);
  });
}

interface OnePart {
  url: string;
  body: Blob;
  onSent: (bytes: number) => void;
}

async function sendOne({ url, body, onSent }: OnePart, signal: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await sendPart({ url, body, contentType: '', onProgress: onSent }, signal);
      onSent(body.size);
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
