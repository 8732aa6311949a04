import type { Operation } from '../../contract/operation.ts';
import { invalidBody } from './invalid-input.ts';

/** Larger bodies are no request of ours, where an operation does not say more. */
const usualBytes = 256 * 1024;

/** Whether a body is said to be JSON. */
export function isJson(contentType: string | undefined): boolean {
  return /^application\/json\s*(?:;|$)/i.test(contentType ?? '');
}

/**
 * Reads a JSON object from a request body. Repeated names are refused: parsers differ on which one
 * counts, and what was checked must be what is used.
 * @throws CodedError INVALID_REQUEST, or the given code
 */
export function readJson(
  body: Buffer,
  contentType: string | undefined,
  { invalid: code, maxJsonBytes = usualBytes }: Pick<Operation, 'invalid' | 'maxJsonBytes'> = {},
): object {
  const invalid = (problem: string) => invalidBody(code, problem);
  if (!isJson(contentType)) {
    throw invalid('must be sent as application/json');
  }
  if (body.length > maxJsonBytes) throw invalid(`must be at most ${maxJsonBytes} bytes`);
  const text = body.toString('utf8');
  const value = parsed(text);
  if (value === undefined) throw invalid('must be valid JSON');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('must be a JSON object');
  }
  const repeated = repeatedName(text);
  if (repeated !== undefined) throw invalid(`names ${repeated} twice`);
  return value;
}

/** No JSON text is undefined. */
/** Half of a surrogate pair is no character: no store takes it (RFC 8259 §8.2). */
function refuseHalves(name: string, value: unknown): unknown {
  const half = /\p{Cs}/u;
  if (half.test(name) || (typeof value === 'string' && half.test(value))) {
    throw new SyntaxError('a lone surrogate');
  }
  return value;
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text, refuseHalves);
    return value;
  } catch {
    return undefined;
  }
}

/** The first name that stands twice in one object of a text that is valid JSON. */
function repeatedName(text: string): string | undefined {
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
