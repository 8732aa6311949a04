import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError, exitCodes } from './command-error.ts';
import { clientOf } from './http.ts';
import { bytesOf, type LocalFile, readFileOf } from './local-file.ts';
import { type Progress, sentText } from './terminal.ts';

/** A file, or a part of one, and the signed address that it goes to. */
export interface SignedPart {
  url: string;
  file: LocalFile;
  offset: number;
  /** In bytes. */
  size: number;
  /** Called when the storage has it. */
  onSent(): void;
}

const maxParallel = 4;
const waitsMs = [500, 2000, 8000];

/**
 * Sends files and parts of files to their addresses, a few at once. A part that is cut off is sent again.
 * @throws CommandError where the connection is lost for good, and where the storage refuses a file
 */
export async function sendParts(
  parts: readonly SignedPart[],
  options: { progress: Progress; signal: AbortSignal },
): Promise<void> {
  const total = bytesOf(parts);
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
    if (isSent) return part.onSent();
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

/** Whether the network ended an upload, which can go on later. */
export function isLostConnection(error: unknown): boolean {
  return error instanceof CommandError && error.exitCode === exitCodes.network;
}

/** Sends one part once; false where another try may succeed. @throws CommandError where the storage refuses it */
async function tryPart(
  { url, file, ...part }: SignedPart,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<boolean> {
  const put = clientOf(url).request(url, {
    method: 'PUT',
    headers: { 'content-length': part.size },
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
      pipeline(readFileOf(file, part), counter, put, { signal }),
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
