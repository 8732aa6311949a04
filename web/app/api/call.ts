import { operations } from 'virtual:operations';
import type { Input, OperationName, Output } from './contract.ts';
import { ApiError, isMissing, isSignedOut, OfflineError } from './api-error.ts';
import { earlyAnswer } from './early-answers.ts';
import { requestOf } from './request-of.ts';
import { signInAgain } from './session-end.ts';

/**
 * Calls an operation of the API in the browser's session. Where the session has ended, it waits until the
 * person has signed in again over the open page, then goes on.
 * @throws ApiError, OfflineError
 */
export async function call<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  options: CallOptions = {},
): Promise<Output<Name>> {
  try {
    return await callOnce(name, input, options);
  } catch (error) {
    // Reading the session asks whether somebody is signed in.
    if (name === 'getWebSession' || !(await isSessionOver(error)) || !(await signInAgain())) {
      throw error;
    }
    return callOnce(name, input, options);
  }
}

/** An operation that also answers without a session then knows nothing of what is the account's. */
async function isSessionOver(error: unknown): Promise<boolean> {
  if (!isMissing(error)) return isSignedOut(error);
  return callOnce('getWebSession', {}, {}).then(() => false, isSignedOut);
}

async function callOnce<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  { signal, idempotencyKey }: CallOptions,
): Promise<Output<Name>> {
  const operation = operations[name];
  if (operation === undefined) throw new Error(`There is no operation ${name}.`);
  const { url, headers, ...request } = requestOf(operation, input);
  const response = await send(url, {
    ...request,
    ...(signal && { signal }),
    headers: {
      ...headers,
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
  });
  const body = await jsonOf(response);
  if (!response.ok) throw new ApiError(response.status, body);
  return operation.envelope === 'data' ? body.data : body;
}

/** Options of {@link call}. */
export interface CallOptions {
  signal?: AbortSignal;
  /** A repeated request with the same key gets the answer of the first. */
  idempotencyKey?: string;
}

async function send(url: string, request: RequestInit): Promise<Response> {
  try {
    const early = earlyAnswer(url, request.method);
    return await (early ??
      fetch(url, { credentials: 'same-origin', cache: 'no-store', ...request }));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new OfflineError('The service cannot be reached.', { cause: error });
  }
}

async function jsonOf(response: Response) {
  try {
    return await response.json();
  } catch {
    return {};
  }
}
