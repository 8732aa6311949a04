import type { Operation } from '../../contract/operation.ts';
import { invalidBody } from './invalid-input.ts';
import type { ApiRequest } from './api-request.ts';
import { hasTooManyValues, maxJsonValues } from './json-size.ts';

/** Maximum size of a JSON body, unless the operation sets its own. */
const defaultMaxBytes = 256 * 1024;

/** Whether a Content-Type is JSON. */
export function isJson(contentType: string | undefined): boolean {
  return /^application\/json\s*(?:;|$)/i.test(contentType ?? '');
}

/**
 * Reads a JSON object from a request body. Duplicate field names are refused: parsers differ in which
 * value they use, and the value that was checked must be the value that is used.
 * @throws CodedError INVALID_REQUEST, or the given code
 */
export function readJson(
  body: Buffer,
  contentType: string | undefined,
  {
    invalid: code,
    maxJsonBytes = defaultMaxBytes,
  }: Pick<Operation, 'invalid' | 'maxJsonBytes'> = {},
): object {
  const invalid = (problem: string) => invalidBody(code, problem);
  if (!isJson(contentType)) {
    throw invalid('must be sent as application/json');
  }
  if (body.length > maxJsonBytes) throw invalid(`must be at most ${maxJsonBytes} bytes`);
  if (hasTooManyValues(body)) throw invalid(`has more than ${maxJsonValues} values`);
  const text = body.toString('utf8');
  const value = parseJson(text);
  if (value === undefined) throw invalid('must be valid JSON');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('must be a JSON object');
  }
  const repeated = findRepeatedName(text);
  if (repeated !== undefined) throw invalid(`has the field ${repeated} twice`);
  return value;
}

/** A JSON reviver. A lone surrogate is not a character and cannot be stored (RFC 8259 §8.2). */
function refuseLoneSurrogates(name: string, value: unknown): unknown {
  const loneSurrogate = /\p{Cs}/u;
  if (loneSurrogate.test(name) || (typeof value === 'string' && loneSurrogate.test(value))) {
    throw new SyntaxError('a lone surrogate');
  }
  return value;
}

/** The value of a JSON text; undefined if it is not valid. */
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text, refuseLoneSurrogates);
    return value;
  } catch {
    return undefined;
  }
}

/** The first duplicate field name in valid JSON text. */
function findRepeatedName(text: string): string | undefined {
  const objects: Set<string>[] = [];
  let last = '';
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}:]/g)) {
    if (token === '{') objects.push(new Set());
    else if (token === '}') objects.pop();
    else if (token !== ':') last = token;
    else {
      const name: unknown = JSON.parse(last);
      const names = objects.at(-1);
      if (names?.has(String(name)) === true) return last.slice(0, 60);
      names?.add(String(name));
    }
  }
  return undefined;
}

/** Whether the body is a plain HTML form. */
export function isPlainForm({ headers }: ApiRequest): boolean {
  return /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(headers['content-type'] ?? '');
}

/** The fields of a form; the first value of a repeated field is used. */
export function readPlainForm(body: Buffer): Record<string, string> {
  const fields = [...new URLSearchParams(body.toString('utf8'))].toReversed();
  return Object.fromEntries(fields);
}

const maxFormBytes = 16 * 1024;

/** The fields of a form on our own pages; empty if the body is not such a form or is too large. */
export function formFields(request: ApiRequest): URLSearchParams {
  const isOurs = isPlainForm(request) && request.body.length <= maxFormBytes;
  return new URLSearchParams(isOurs ? request.body.toString('utf8') : '');
}
