import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../web/app/api/api-error.ts';
import type { Input, OperationName, Output } from '../web/app/api/contract.ts';
import { requestOf } from '../web/app/api/request-of.ts';
import { CommandError, exitCodes } from './command-error.ts';
import type { Context } from './context.ts';
import { type FormFile, formOf, type HttpAnswer, type HttpRequest, sendOnce } from './http.ts';
import { nameOfHash } from './local-file.ts';

/** The answer of an endpoint of OAuth: a success, or an error (RFC 6749 §5.2). */
export type FormAnswer<Body> =
  | { ok: true; body: Body }
  | { ok: false; body: { error?: string; error_description?: string; reason?: string } };

/** Calls operations of one installation with a key, or without one. */
export interface Service {
  url: string;
  hasKey: boolean;
  /** Differs for another installation or key, and tells nothing of the key. */
  caller: string;
  /**
   * Calls an operation. It is repeated after a lost connection, a 503 and a short 429; its `Idempotency-Key` keeps
   * a repeated one from running twice. Files are sent in the request.
   * @throws ApiError; CommandError where the service cannot be reached
   */
  call<Name extends OperationName>(
    name: Name,
    input: Input<Name>,
    files?: readonly FormFile[],
  ): Promise<Output<Name>>;
  /** The same with another signal that aborts it. */
  withSignal(signal: AbortSignal): Service;
  /** Posts a form to an endpoint of OAuth. @throws CommandError where the service cannot be reached */
  form<Body>(path: string, fields: Record<string, string>): Promise<FormAnswer<Body>>;
  /** The text of a path of the installation, such as a QR code. @throws ApiError, CommandError */
  text(path: string): Promise<string>;
}

/** Waits before another try, in milliseconds; a longer wait that the service wants is left to the user. */
const waitsMs = [500, 2000, 5000];
const longestWaitSeconds = 10;

/** A client of the installation at `url`. */
export function connect(
  { operations, signal }: Pick<Context, 'operations' | 'signal'>,
  url: string,
  key: string | undefined,
): Service {
  const authorization: Record<string, string> =
    key === undefined ? {} : { authorization: `Bearer ${key}` };
  const send = (path: string, request: Omit<HttpRequest, 'signal'>) =>
    sendAgain(new URL(path, url).href, {
      ...request,
      signal,
      headers: { ...request.headers, ...authorization, 'user-agent': 'slipway-cli' },
    });
  return {
    url,
    hasKey: key !== undefined,
    caller: nameOfHash(createHash('sha256').update(`${url} ${key ?? ''}`)),
    withSignal: (other) => connect({ operations, signal: other }, url, key),
    async call(name, input, files) {
      const operation = operations[name];
      if (operation === undefined) throw new Error(`There is no operation ${name}.`);
      const { url: path, method, headers, body: json } = requestOf(operation, input);
      const form = files && formOf(JSON.parse(json ?? '{}'), files);
      const answer = await send(path, {
        method,
        headers: {
          ...headers,
          ...(method !== 'GET' && { 'idempotency-key': randomUUID() }),
          ...(form !== undefined && { 'content-type': form.contentType }),
        },
        body: form?.body ?? json,
      });
      const body = jsonOf(answer);
      if (!isSuccess(answer)) throw new ApiError(answer.status, body);
      return operation.envelope === 'data' ? body.data : body;
    },
    async form(path, fields) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const body = new URLSearchParams(fields).toString();
      const answer = await send(path, { method: 'POST', headers, body });
      return { ok: isSuccess(answer), body: jsonOf(answer) };
    },
    async text(path) {
      const answer = await send(path, { method: 'GET', headers: {} });
      if (!isSuccess(answer)) throw new ApiError(answer.status, jsonOf(answer));
      return answer.text;
    },
  };
}

function isSuccess({ status }: HttpAnswer): boolean {
  return status >= 200 && status < 300;
}

async function sendAgain(url: string, request: HttpRequest): Promise<HttpAnswer> {
  for (const waitMs of waitsMs) {
    const answer = await sendOnce(url, request).catch(() => {
      request.signal.throwIfAborted();
      return undefined;
    });
    const wait = answer === undefined ? waitMs : waitOf(answer, waitMs);
    if (answer !== undefined && wait === undefined) return answer;
    await sleep(wait);
  }
  try {
    return await sendOnce(url, request);
  } catch (error) {
    request.signal.throwIfAborted();
    throw unreachable(new URL(url).origin, error);
  }
}

/** The milliseconds until another try is worth it; undefined for an answer to show. */
function waitOf({ status, headers }: HttpAnswer, waitMs: number): number | undefined {
  if (status === 503) return waitMs;
  const seconds = Number(headers['retry-after'] ?? Infinity);
  return status === 429 && seconds <= longestWaitSeconds ? seconds * 1000 : undefined;
}

function unreachable(origin: string, error: unknown): CommandError {
  const reason = error instanceof Error ? ` (${error.message})` : '';
  return new CommandError(exitCodes.network, `${origin} cannot be reached${reason}.`, {
    next: 'Check the network and the address, then run the same command again.',
  });
}

/** The body of an answer; an empty object where it is no JSON. */
function jsonOf({ text }: HttpAnswer) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
