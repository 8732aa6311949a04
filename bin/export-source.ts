import * as z from 'zod';
import { ExportPage } from '../contract/account-export.ts';
import { ErrorBody } from '../contract/errors.ts';
import { TransferError } from './transfer-error.ts';

/** Where an export comes from. */
export interface ExportSource {
  /** @throws TransferError when the service refuses, or does not answer for long */
  page(cursor: string | undefined): Promise<ExportPage>;
  /** Opens a link of a page. */
  object(url: string): Promise<AsyncIterable<Uint8Array>>;
}

const Answer = z.object({ data: ExportPage });
const tries = 6;

/** A service at `baseUrl`, as the account of the key. */
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
        if (turn === tries || !isPassing(answer)) throw await refusal(baseUrl, answer);
        await wait(waitMs(answer, turn));
      }
    },
    async object(url) {
      const answer = await fetch(url);
      if (!answer.ok || answer.body === null) {
        throw new TransferError(`A stored file was not given: HTTP ${answer.status}.`);
      }
      return answer.body;
    },
  };
}

/** Whether the same request may go through later. */
function isPassing(answer: unknown): boolean {
  return !(answer instanceof Response) || answer.status === 429 || answer.status >= 500;
}

function waitMs(answer: unknown, turn: number): number {
  const told = answer instanceof Response ? Number(answer.headers.get('retry-after')) : 0;
  return told > 0 ? told * 1000 : 250 * 2 ** turn;
}

async function refusal(baseUrl: string, answer: unknown): Promise<TransferError> {
  if (!(answer instanceof Response)) return new TransferError(`${baseUrl} does not answer.`);
  const { data } = ErrorBody.safeParse(await answer.json().catch(() => undefined));
  return new TransferError(
    data === undefined ? `${baseUrl} answers ${answer.status}.` : `${data.error} ${data.nextStep}`,
  );
}
