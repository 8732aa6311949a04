import { isDeepStrictEqual } from 'node:util';
import { boundedMemory } from '../../core/bounded-memory.ts';

/**
 * Room for some hundred serving records of at most 4 kB each. Their converted values may be ten
 * times as large.
 */
const defaultMaxBytes = 1024 * 1024;

/** Longer answers are converted each time. */
const maxAnswerBytes = 16 * 1024;

/** The bytes of an entry besides its request and its answer. */
const entryBytes = 512;

/** An answer of a service: its JSON, and its length in bytes. */
export interface Answer {
  json: unknown;
  bytes: number;
}

/**
 * Converts answers, and returns the same value for the same request while its answer is the same.
 * Every answer was read from the service a moment ago, so nothing outdated is returned: only its
 * conversion is saved. Values must not be changed. The least recently used values are removed
 * first. Answers that convert to undefined are not kept, so that requests for missing addresses do
 * not displace others.
 *
 * Answers are compared as JSON, because DynamoDB does not promise an order of attributes.
 */
export function unchangedAnswers<T>(
  convert: (json: unknown) => T,
  maxBytes = defaultMaxBytes,
): (request: string, answer: Answer) => T {
  const kept = boundedMemory<{ answer: Answer; value: T }>(maxBytes);
  return (request, answer) => {
    const known = kept.get(request);
    const isSame = known !== undefined && isDeepStrictEqual(known.answer.json, answer.json);
    const value = isSame ? known.value : convert(answer.json);
    if (value === undefined || answer.bytes > maxAnswerBytes) kept.remove(request);
    else kept.add(request, { answer, value }, request.length + answer.bytes + entryBytes);
    return value;
  };
}
