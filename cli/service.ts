import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../web/app/api/api-error.ts';
import type { Input, OperationName, Output } from '../web/app/api/contract.ts';
import { requestOf } from '../web/app/api/request-of.ts';
import { CommandError, exitCodes } from './command-error.ts';
import type { Context } from './context.ts';

/** The answer of an endpoint of OAuth: a success, or an error (RFC 6749 §5.2). */
export type FormAnswer<Body> =
  | { ok: true; body: Body }
  | { ok: false; body: { error?: string; error_description?: string; reason?: string } };

/** Calls operations of one installation with a key, or without one. */
export interface Service {
  url: string;
  hasKey: boolean;
  /**
   * Calls an operation. It is repeated after a lost connection, a 503 and a short 429; its `Idempotency-Key` keeps
   * a repeated one from running twice.
   * @throws ApiError; CommandError where the service cannot be reached
   */
  call<Name extends OperationName>(name: Name, input: Input<Name>): Promise<Output<Name>>;
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
  const send = (
    path: string,
    request: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> },
  ) =>
    sendAgain(new URL(path, url).href, {
      ...request,
      signal,
      headers: { ...request.headers, ...authorization, 'user-agent': 'slipway-cli' },
    });
  return {
    url,
    hasKey: key !== undefined,
    withSignal: (other) => connect({ operations, signal: other }, url, key),
    async call(name, input) {
      const operation = operations[name];
      if (operation === undefined) throw new Error(`There is no operation ${name}.`);
      const { url: path, method, headers, body } = requestOf(operation, input);
      const isWrite = method !== 'GET';
      const response = await send(path, {
        method,
        headers: { ...headers, ...(isWrite && { 'idempotency-key': randomUUID() }) },
        ...(body !== undefined && { body }),
      });
      const answer = await jsonOf(response);
      if (!response.ok) throw new ApiError(response.status, answer);
      return operation.envelope === 'data' ? answer.data : answer;
    },
    async form(path, fields) {
      const response = await send(path, { method: 'POST', body: new URLSearchParams(fields) });
      return { ok: response.ok, body: await jsonOf(response) };
    },
    async text(path) {
      const response = await send(path, {});
      if (!response.ok) throw new ApiError(response.status, await jsonOf(response));
      return response.text();
    },
  };
}

async function sendAgain(url: string, request: RequestInit): Promise<Response> {
  for (const waitMs of waitsMs) {
    const response = await fetch(url, request).catch((error: unknown) => {
      request.signal?.throwIfAborted();
      return error;
    });
    const wait = waitOf(response, waitMs);
    if (wait === undefined && response instanceof Response) return response;
    await sleep(wait ?? waitMs);
  }
  try {
    return await fetch(url, request);
  } catch (error) {
    request.signal?.throwIfAborted();
    throw unreachable(new URL(url).origin, error);
  }
}

/** The milliseconds until another try is worth it; undefined for an answer to show. */
function waitOf(response: unknown, waitMs: number): number | undefined {
  if (!(response instanceof Response)) return waitMs;
  if (response.status === 503) return waitMs;
  const seconds = Number(response.headers.get('retry-after') ?? Infinity);
  return response.status === 429 && seconds <= longestWaitSeconds ? seconds * 1000 : undefined;
}

/** The error where no installation answers at an address. */
function unreachable(origin: string, error: unknown): CommandError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = cause instanceof Error ? ` (${cause.message})` : '';
  return new CommandError(exitCodes.network, `${origin} cannot be reached${reason}.`, {
    next: 'Check the network and the address, then run the same command again.',
  });
}

/** The body of an answer; an empty object where it is no JSON. */
async function jsonOf(response: Response) {
  try {
    return JSON.parse(await response.text());
  } catch {
    return {};
  }
}
