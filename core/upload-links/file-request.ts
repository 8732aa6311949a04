import type * as z from 'zod';
import {
  type FileRequest as Request,
  maxRequestDays,
  type Receipt,
  type requestFields,
} from '../../contract/file-request.ts';
import { daySeconds } from '../../contract/limits.ts';
import type { Instant } from '../../contract/fields.ts';
import type { createUploadLink } from '../../contract/operations/upload-links.ts';
import { chosenEnd } from '../chosen-end.ts';
import { nameFromText } from '../content/distinct-names.ts';
import { siftPaths } from '../content/left-out/sift-paths.ts';
import { extensionOf } from '../content/media-type.ts';
import { quoted } from '../content/safe-path.ts';
import { CodedError } from '../errors.ts';
import { instant, plusSeconds } from '../instants.ts';

export type FileRequest = z.infer<typeof Request>;

/** For so long after it closed, a file request keeps its list of senders. */
export const keptSeconds = 30 * daySeconds;

/** What the receipt and the list of senders name of one upload: hundreds of uploads are listed in one answer. */
const listed = { files: 100, nameBytes: 4000 };

/** The input that makes an upload link a file request. */
export type NewRequest = Pick<z.infer<typeof createUploadLink.input>, keyof typeof requestFields>;

/** A file request with its defaults: one upload, and what arrives stays private. Pure. */
export function newFileRequest(choices: NewRequest): FileRequest {
  const { maxUploads = 1, private: isPrivate = true, askEmail } = choices;
  const { message, maxBytes, accept, askName, receipts = askEmail } = choices;
  const chosen = Object.entries({ message, maxBytes, accept, askName, askEmail, receipts }).filter(
    ([, value]) => value !== undefined,
  );
  return { ...Object.fromEntries(chosen), maxUploads, private: isPrivate };
}

/** When a file request closes. @throws CodedError INVALID_REQUEST */
export function closingTime(closesAt: string, now: Date): Instant {
  return chosenEnd(closesAt, now, 'INVALID_REQUEST', {
    path: 'closesAt',
    longestSeconds: maxRequestDays * daySeconds,
    longest: `${maxRequestDays} days`,
    example: instant(plusSeconds(now, 7 * daySeconds)),
  });
}

/** Who sends files. */
export interface Sender {
  senderName?: string | undefined;
  senderEmail?: string | undefined;
}

/** Checks what a request asks of its senders. @throws CodedError INVALID_REQUEST */
export function checkSender(
  { askName = false, askEmail = false }: FileRequest,
  { senderName, senderEmail }: Sender,
): void {
  if (askName && senderName === undefined) throw missing('senderName', 'your name');
  if (askEmail && senderEmail === undefined) throw missing('senderEmail', 'your e-mail address');
}

function missing(path: string, what: string): CodedError {
  return new CodedError('INVALID_REQUEST', {
    error: `Please give ${what}: the person who asks for the files needs it.`,
    details: [{ path, message: 'is required by this file request' }],
    nextStep: `Send \`${path}\` with the files.`,
  });
}

/**
 * Checks names and sizes against a request, before anything is stored or sent. A ZIP counts by its own name.
 * @throws CodedError FILE_TYPE_REFUSED, PAYLOAD_TOO_LARGE
 */
export function checkRequestedFiles(
  { accept, maxBytes = Number.POSITIVE_INFINITY }: FileRequest,
  files: readonly SentFile[],
): void {
  const other =
    accept && keptFiles(files).find(({ path }) => !accept.includes(`.${extensionOf(path)}`));
  if (other !== undefined) {
    throw new CodedError('FILE_TYPE_REFUSED', {
      error: `The file ${quoted(other.path)} is not of a type that was asked for: ${accept?.join(', ')}.`,
      nextStep: 'Send files with these endings only. Nothing was kept.',
    });
  }
  const bytes = totalBytes(files);
  if (bytes <= maxBytes) return;
  throw new CodedError('PAYLOAD_TOO_LARGE', {
    error: `The upload has ${bytes} bytes; this file request takes at most ${maxBytes} in one upload.`,
    nextStep: 'Send less. Nothing was kept.',
  });
}

/** The name of the folder for one upload: the day (UTC) on which it began, and who sent it. Pure. */
export function folderOf({ senderName = '' }: Sender, startedAt: Date): string {
  return `${instant(startedAt).slice(0, 10)} ${nameFromText(senderName)}`.trim();
}

/** A file as its sender named it. */
export interface SentFile {
  path: string;
  size: number;
}

/** What a receipt says of the files that were sent; those that are left out of every upload did not arrive. Pure. */
export function arrivalOf(sent: readonly SentFile[]) {
  const files = keptFiles(sent);
  return {
    files: listedFiles(files),
    fileCount: files.length,
    bytes: totalBytes(files),
  };
}

/** The first files whose names have room. */
function listedFiles(files: readonly SentFile[]): SentFile[] {
  let room = listed.nameBytes;
  const named: SentFile[] = [];
  for (const { path, size } of files.slice(0, listed.files)) {
    room -= Buffer.byteLength(path);
    if (room < 0) break;
    named.push({ path, size });
  }
  return named;
}

/** The files that are not left out by their names. */
function keptFiles(sent: readonly SentFile[]): readonly SentFile[] {
  const kept = new Set(
    siftPaths(
      sent.map(({ path }) => path),
      { includeHidden: 'never' },
    ).kept,
  );
  return sent.filter(({ path }) => kept.has(path));
}

function totalBytes(files: readonly SentFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

/** What a sender gets. */
export type Receipt = z.input<typeof Receipt>;
