import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { types } from 'node:util';
import { formatBytes } from '../web/app/texts/format.ts';
import { CommandError, exitCodes } from './command-error.ts';
import { clientOf, fitsForm, type FormFile } from './http.ts';
import { bytesOf, isSmall, type LocalFile, readFileOf, readSmall } from './local-file.ts';
import type { Service } from './service.ts';
import { type Progress, sentText } from './terminal.ts';
import { zipStream } from '../core/content/zip/write-archive.ts';

/** Up to this many files are sent one by one; more go as one ZIP. Without an account, five is the service's limit. */
const maxParts = { withKey: 200, withoutKey: 5 };
const maxParallel = 4;
const waitsMs = [500, 2000, 8000];

/** A request carries at most 4.5 MB (docs/publishing.md); the rest is for its other parts. */
const maxBytesInRequest = 4_000_000;
/** More is packed on disk. */
const maxPackedInMemory = 32_000_000;

/** Where files go, and how it is shown. */
export interface SendOptions {
  service: Service;
  progress: Progress;
  signal: AbortSignal;
  /** Files of a change are never unpacked, so they go one by one. */
  isMerge?: boolean;
}

/** Files as a request publishes them: few bytes in the request itself, more by an upload in storage. */
export interface Content {
  upload: { uploadId?: string };
  files?: readonly FormFile[];
}

/**
 * Prepares files for a request that has these fields too; what is too large for it is sent to storage.
 * @throws ApiError; CommandError where the connection is lost for good, and where a file changes meanwhile
 */
export async function sendFiles(
  files: readonly LocalFile[],
  options: SendOptions,
  fields: object = {},
): Promise<Content> {
  const most = options.service.hasKey ? maxParts.withKey : maxParts.withoutKey;
  const isEach = files.length <= most || options.isMerge === true;
  const sent = isEach ? files : await packInMemory(files, options);
  if (sent === undefined) return { upload: await sendPacked(files, options) };
  if (sent.length <= maxParts.withKey && bytesOf(sent) <= maxBytesInRequest && fitsForm(fields)) {
    options.progress.show(`Sending ${formatBytes(bytesOf(sent))}`);
    return { upload: {}, files: sent.map((file) => ({ path: file.path, bytes: readSmall(file) })) };
  }
  const [first] = sent;
  if (isEach || first === undefined) return { upload: await sendEach(sent, options) };
  return { upload: await sendArchive(first, options) };
}

/** One ZIP of the files; nothing where they are too large for memory. */
async function packInMemory(
  files: readonly LocalFile[],
  { progress, signal }: SendOptions,
): Promise<LocalFile[] | undefined> {
  if (bytesOf(files) > maxPackedInMemory) return undefined;
  progress.show(`Packing ${files.length} files`);
  const chunks: Uint8Array[] = [];
  await packing(async () => {
    for await (const chunk of zipOf(files)) chunks.push(chunk);
  }, signal);
  const source = Buffer.concat(chunks);
  return [{ path: archiveName, source, size: source.length, changedMs: 0 }];
}

async function sendPacked(
  files: readonly LocalFile[],
  options: SendOptions,
): Promise<{ uploadId: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'slipway-'));
  const { signal } = options;
  try {
    const source = path.join(folder, archiveName);
    options.progress.show(`Packing ${files.length} files`);
    await packing(
      async () => pipeline(zipOf(files), createWriteStream(source), { signal }),
      signal,
    );
    const { size, mtimeMs } = await stat(source);
    return await sendArchive({ path: archiveName, source, size, changedMs: mtimeMs }, options);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const archiveName = 'files.zip';

/** A ZIP of files. Each is opened when its turn comes. */
function zipOf(files: readonly LocalFile[]): AsyncGenerator<Uint8Array> {
  const entries = files.map((file) => ({
    path: file.path,
    size: file.size,
    content: isSmall(file) ? () => readSmall(file) : readLater(file),
    isDeflated: true,
  }));
  return zipStream(entries, new Date());
}

/** @throws CommandError where a file changes while it is packed */
async function packing<T>(pack: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await pack();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CommandError || (types.isNativeError(error) && 'syscall' in error))
      throw error;
    throw new CommandError(exitCodes.refused, 'A file changed while it was packed.', {
      next: 'Run the same command again.',
    });
  }
}

async function* readLater(file: LocalFile): AsyncGenerator<Uint8Array> {
  yield* readFileOf(file);
}

async function sendArchive(file: LocalFile, options: SendOptions): Promise<{ uploadId: string }> {
  const { uploadId, parts } = await options.service.call('beginUpload', {
    archive: { size: file.size },
  });
  await sendParts(
    parts.map(({ url }) => ({ url, file })),
    options,
  );
  return { uploadId };
}

async function sendEach(
  files: readonly LocalFile[],
  options: SendOptions,
): Promise<{ uploadId: string }> {
  const announced = files.map(({ path: name, size }) => ({ path: name, size }));
  const { uploadId, parts } = await options.service.call('beginUpload', { files: announced });
  const byPath = new Map(files.map((file) => [file.path, file]));
  const signed = parts.flatMap(({ url, path: name }) => {
    const file = byPath.get(name);
    return file === undefined ? [] : [{ url, file }];
  });
  await sendParts(signed, options);
  return { uploadId };
}

interface SignedPart {
  url: string;
  file: LocalFile;
}

async function sendParts(parts: readonly SignedPart[], options: SendOptions): Promise<void> {
  const total = bytesOf(parts.map(({ file }) => file));
  const began = Date.now();
  let sent = 0;
  const onSent = (bytes: number) => {
    sent += bytes;
    options.progress.show(sentText(sent, total, (Date.now() - began) / 1000));
  };
  const waiting = parts.values();
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  const work = async () => {
    for (const part of waiting) await sendPart(part, signal, onSent);
  };
  try {
    await Promise.all(Array.from({ length: maxParallel }, work));
  } catch (error) {
    // The other files in flight would keep the process.
    failed.abort();
    throw error;
  }
}

async function sendPart(
  part: SignedPart,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<void> {
  for (const waitMs of waitsMs) {
    const isSent = await tryPart(part, signal, onSent).catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof CommandError) throw error;
      return false;
    });
    if (isSent) return;
    await sleep(waitMs, undefined, { signal });
  }
  throw new CommandError(
    exitCodes.network,
    `The connection was lost while ${part.file.path} was sent.`,
    {
      next: 'Check the network, then run the same command again.',
    },
  );
}

/** Sends one file once; false where another try may succeed. @throws CommandError where the storage refuses it */
async function tryPart(
  { url, file }: SignedPart,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<boolean> {
  const put = clientOf(url)(url, {
    method: 'PUT',
    headers: { 'content-length': file.size },
    signal,
  });
  const answered = new Promise<number>((resolve, reject) => {
    put.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.on('error', reject);
    });
    put.on('error', reject);
  });
  let sent = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _, done) {
      sent += chunk.length;
      onSent(chunk.length);
      done(null, chunk);
    },
  });
  try {
    const [status] = await Promise.all([
      answered,
      pipeline(readFileOf(file), counter, put, { signal }),
    ]);
    if (status < 300) return true;
    if (status < 500) throw refused(file, status);
  } catch (error) {
    onSent(-sent);
    throw error;
  }
  onSent(-sent);
  return false;
}

function refused({ path: name }: LocalFile, status: number): CommandError {
  return new CommandError(exitCodes.refused, `The storage refused ${name} (${status}).`, {
    next: 'It may have changed while it was sent. Run the same command again.',
  });
}
