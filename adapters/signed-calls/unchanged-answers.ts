import { isDeepStrictEqual } from 'node:util';
import { boundedMemory } from '../../core/bounded-memory.ts';

/** Some hundred serving records, which have at most 4 kB each. What is made of them may be ten times as large. */
const defaultMaxBytes = 1024 * 1024;

/** What is made of longer answers is made each time. */
const maxAnswerBytes = 16 * 1024;

/** What an entry takes beside its request and its answer. */
const entryBytes = 512;

/** An answer of a service: its JSON, and how long it was. */
export interface Answer {
  json: unknown;
  bytes: number;
}

/**
 * Converts answers, and returns the same value for the same request while its answer is the same.
 * Every answer was read from the service a moment ago, so nothing outdated is returned: only its
 * conversion is saved. Values must not be changed. Those that were not needed for longest leave first; what
 * converts to undefined is not kept, so that addresses nobody holds push out no others.
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
