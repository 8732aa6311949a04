import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { types } from 'node:util';
import { gzippedZip } from '../contract/limits.ts';
import { zipLength } from '../core/content/zip/write-archive.ts';
import type { Output } from '../web/app/api/contract.ts';
import { formatBytes } from '../web/app/texts/format.ts';
import { CommandError, exitCodes } from './command-error.ts';
import { fitsForm, type FormFile } from './http.ts';
import type { InterruptedUploads } from './interrupted-uploads.ts';
import { bytesOf, type LocalFile, readSmall } from './local-file.ts';
import { isLostConnection, sendParts, type SignedPart } from './send-parts.ts';
import type { Service } from './service.ts';
import type { Progress } from './terminal.ts';
import { gzippedZipOf, zipOf } from './zip-files.ts';

/** Up to this many files are sent one by one; more go as one ZIP. Without an account, five is the service's limit. */
const maxParts = { withKey: 200, withoutKey: 5 };

/** A request carries at most 4.5 MB (docs/publishing.md); the rest is for its other parts. */
const maxBytesInRequest = 4_000_000;

/** Where files go, and how it is shown. */
export interface SendOptions {
  service: Service;
  progress: Progress;
  signal: AbortSignal;
  interrupted: InterruptedUploads;
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
  return files.length <= most || options.isMerge === true
    ? sendSeparately(files, options, fields)
    : sendTogether(files, options, fields);
}

async function sendSeparately(
  files: readonly LocalFile[],
  options: SendOptions,
  fields: object,
): Promise<Content> {
  const isFew = files.length <= maxParts.withKey && bytesOf(files) <= maxBytesInRequest;
  if (!isFew || !fitsForm(fields)) return { upload: await sendEach(files, options) };
  return inRequest(
    files.map((file) => ({ path: file.path, bytes: readSmall(file) })),
    options,
  );
}

async function sendTogether(
  files: readonly LocalFile[],
  options: SendOptions,
  fields: object,
): Promise<Content> {
  options.progress.show(`Packing ${files.length} files`);
  const zip = fitsForm(fields) ? await packForRequest(files, options) : undefined;
  return zip ? inRequest([zip], options) : { upload: await sendPacked(files, options) };
}

function inRequest(files: readonly FormFile[], { progress }: SendOptions): Content {
  const bytes = files.reduce((sum, one) => sum + one.bytes.length, 0);
  progress.show(`Sending ${formatBytes(bytes)}`);
  return { upload: {}, files };
}

/** One ZIP of many small files, compressed as a whole; nothing where the request is too small for it. */
async function packForRequest(
  files: readonly LocalFile[],
  { signal }: SendOptions,
): Promise<FormFile | undefined> {
  if (zipLength(files) > gzippedZip.maxBytes) return undefined;
  const bytes = await packing(() => gzippedZipOf(files, maxBytesInRequest), signal);
  return bytes && { path: archiveName, bytes, type: gzippedZip.type };
}

/** Packs files on disk, and sends the ZIP to storage. */
async function sendPacked(
  files: readonly LocalFile[],
  options: SendOptions,
): Promise<{ uploadId: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'slipway-'));
  const { signal } = options;
  try {
    const source = path.join(folder, archiveName);
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

async function sendArchive(file: LocalFile, options: SendOptions): Promise<{ uploadId: string }> {
  const { uploadId, parts } = await options.service.call('beginUpload', {
    archive: { size: file.size },
    inParts: true,
  });
  await sendParts(
    parts.map((part) => signedPart(part, file)),
    options,
  );
  return { uploadId };
}

function signedPart(
  { url, offset = 0, size }: Output<'beginUpload'>['parts'][number],
  file: LocalFile,
  onSent = () => {},
): SignedPart {
  return { url, file, offset, size: size ?? file.size, onSent };
}

/** Sends each file to addresses of its own, and goes on with what a lost connection ended. */
async function sendEach(
  files: readonly LocalFile[],
  options: SendOptions,
): Promise<{ uploadId: string }> {
  const announced = files.map(({ path: name, size }) => ({ path: name, size }));
  const kept = await options.interrupted.take(files);
  const upload =
    kept ?? (await options.service.call('beginUpload', { files: announced, inParts: true }));
  const byPath = new Map(files.map((file) => [file.path, file]));
  const left = new Set(upload.parts);
  const signed = upload.parts.flatMap((part) => {
    const file = byPath.get(part.path);
    return file === undefined ? [] : [signedPart(part, file, () => void left.delete(part))];
  });
  try {
    await sendParts(signed, options);
  } catch (error) {
    if (isLostConnection(error)) {
      await options.interrupted.keep(files, { ...upload, parts: [...left] });
    }
    throw error;
  }
  return { uploadId: upload.uploadId };
}
