import type { IncomingMessage } from 'node:http';
import type { ExportPage } from '../../contract/account-export.ts';
import { CommandError, exitCodes } from '../command-error.ts';
import { clientOf } from '../http.ts';
import type { Service } from '../service.ts';

/** Where an export comes from. */
export interface ExportSource {
  /** @throws ApiError, CommandError when the service refuses, or still fails after several tries */
  page(cursor: string | undefined): Promise<ExportPage>;
  /** Reads a file of so many bytes by its link from a page. */
  object(url: string, size: number): AsyncIterable<Uint8Array>;
}

/** The export of the key's account. */
export function exportSource(service: Pick<Service, 'call'>, signal: AbortSignal): ExportSource {
  return {
    page: async (cursor) => service.call('exportAccount', cursor === undefined ? {} : { cursor }),
    async *object(url, size) {
      for (let first = 0; first < size; first += pieceBytes) {
        const last = Math.min(size, first + pieceBytes) - 1;
        const range = { range: `bytes=${first}-${last}` };
        const answer = await open(url, first === 0 && last === size - 1 ? {} : range, signal);
        if (answer.statusCode !== 200 && answer.statusCode !== 206) throw refusedFile(answer);
        yield* answer;
      }
    },
  };
}

/** A part that is cut off is requested again: a slow line loses no more than this. */
const pieceBytes = 16 * 1024 * 1024;

function refusedFile(answer: IncomingMessage): CommandError {
  answer.resume();
  const seconds = Number(answer.headers['retry-after']);
  if (answer.statusCode !== 429 || !(seconds > 60))
    return new CommandError(
      exitCodes.refused,
      `A file could not be downloaded: HTTP ${answer.statusCode}.`,
    );
  const hours = Math.ceil(seconds / 3600);
  return new CommandError(
    exitCodes.refused,
    'The service sends no more files of this account today.',
    { next: `Run the same command again in ${hours} hours: it continues.` },
  );
}

/** Names below `localhost` are this computer, which not every system resolves (RFC 6761, section 6.3). */
function open(
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { hostname, host, port, pathname, search } = new URL(url);
  const connectTo = hostname.endsWith('.localhost') ? '127.0.0.1' : hostname;
  const options = {
    host: connectTo,
    port,
    path: pathname + search,
    headers: { host, ...headers },
    signal,
  };
  return new Promise((resolve, reject) => {
    const sent = clientOf(url).get(options, resolve);
    sent.on('error', reject);
  });
}
