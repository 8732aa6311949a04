import http from 'node:http';
import https from 'node:https';
import * as z from 'zod';
import { ExportPage } from '../contract/account-export.ts';
import { ErrorBody } from '../contract/errors.ts';
import { CommandError } from './command-line.ts';

export interface ExportSource {
  /** @throws CommandError when the service refuses, or still fails after several tries */
  page(cursor: string | undefined): Promise<ExportPage>;
  /** Reads a file of so many bytes by its link from a page. */
  object(url: string, size: number): AsyncIterable<Uint8Array>;
}

const Answer = z.object({ data: ExportPage });
const maxTries = 6;

/** The export of the key's account from the service at `baseUrl`. */
export function exportSource(
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
  wait: (ms: number) => Promise<unknown>,
): ExportSource {
  const headers = { authorization: `Bearer ${apiKey}` };
  return {
    async page(cursor) {
      const url = new URL('/v1/account/export', baseUrl);
      if (cursor !== undefined) url.searchParams.set('cursor', cursor);
      for (let turn = 1; ; turn += 1) {
        const answer = await fetch(url, { headers }).catch((error: unknown) => error);
        if (answer instanceof Response && answer.ok) return Answer.parse(await answer.json()).data;
        if (turn === maxTries || !isTransient(answer)) throw await responseError(baseUrl, answer);
        await wait(retryDelayMs(answer, turn));
      }
    },
    async *object(url, size) {
      for (let first = 0; first < size; first += pieceBytes) {
        const last = Math.min(size, first + pieceBytes) - 1;
        const range = { range: `bytes=${first}-${last}` };
        const answer = await open(url, first === 0 && last === size - 1 ? {} : range);
        if (answer.statusCode !== 200 && answer.statusCode !== 206) throw refusedFile(answer);
        yield* answer;
      }
    },
  };
}

/** A part that is cut off is requested again: a slow line loses no more than this. */
const pieceBytes = 16 * 1024 * 1024;

function refusedFile(answer: http.IncomingMessage): CommandError {
  answer.resume();
  const seconds = Number(answer.headers['retry-after']);
  if (answer.statusCode !== 429 || !(seconds > 60))
    return new CommandError(`A file could not be downloaded: HTTP ${answer.statusCode}.`);
  const hours = Math.ceil(seconds / 3600);
  return new CommandError(
    `The service sends no more files of this account today. Run the same command again in ${hours} hours: it continues.`,
  );
}

/** Names below `localhost` are this computer, which not every system resolves (RFC 6761, section 6.3). */
function open(url: string, headers: Record<string, string>): Promise<http.IncomingMessage> {
  const { protocol, hostname, host, port, pathname, search } = new URL(url);
  const connectTo = hostname.endsWith('.localhost') ? '127.0.0.1' : hostname;
  const options = { host: connectTo, port, path: pathname + search, headers: { host, ...headers } };
  return new Promise((resolve, reject) => {
    const sent = (protocol === 'https:' ? https : http).get(options, resolve);
    sent.on('error', reject);
  });
}

/** Whether the same request may succeed later. */
function isTransient(answer: unknown): boolean {
  return !(answer instanceof Response) || answer.status === 429 || answer.status >= 500;
}

function retryDelayMs(answer: unknown, turn: number): number {
  const retryAfterSeconds =
    answer instanceof Response ? Number(answer.headers.get('retry-after')) : 0;
  return retryAfterSeconds > 0 ? retryAfterSeconds * 1000 : 250 * 2 ** turn;
}

async function responseError(baseUrl: string, answer: unknown): Promise<CommandError> {
  if (!(answer instanceof Response)) return new CommandError(`${baseUrl} does not answer.`);
  const { data } = ErrorBody.safeParse(await answer.json().catch(() => undefined));
  return new CommandError(
    data === undefined
      ? `${baseUrl} answered with HTTP ${answer.status}.`
      : `${data.error} ${data.nextStep}`,
  );
}
