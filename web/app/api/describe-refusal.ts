import { type ErrorText, errorTexts, fieldNames, unknownError } from '../texts/en-errors.ts';
import { formatBytes } from '../texts/format.ts';
import type { ApiError } from './api-error.ts';

/**
 * A refusal in words for a person. The service's own sentences are kept where they name what only it
 * knows, and left out where they speak of fields and requests.
 * @param wait - seconds that are left until the same can be tried again
 */
export function describeRefusal(error: ApiError, wait = error.retryAfterSeconds): ErrorText {
  const { code, attemptsLeft } = error;
  const textOf = isKnown(code) ? errorTexts[code] : unknownError;
  return textOf({ said: sentenceOf(error), wait, attemptsLeft });
}

/** The field of the contract that a person has to correct; undefined if it is no single field. */
export function refusedField({ code, details }: ApiError): string | undefined {
  return details[0]?.path ?? fieldsOfCodes[code];
}

const fieldsOfCodes: Readonly<Record<string, string | undefined>> = {
  SLUG_TAKEN: 'slug',
  EMAIL_TAKEN: 'email',
  OTP_INVALID: 'code',
  DOMAIN_TAKEN: 'domain',
  DOMAIN_NOT_READY: 'domainId',
};

function isKnown(code: string): code is keyof typeof errorTexts {
  return Object.hasOwn(errorTexts, code);
}

/** A detail is the rest of a sentence about its field, or the whole sentence once more. */
function sentenceOf({ message, details: [first] }: ApiError): string | undefined {
  const isWhole = first === undefined || first.message === message;
  const field = isWhole ? undefined : fieldNames[first.path];
  const sentence = field === undefined ? message : `${field} ${first?.message}.`;
  return isForPeople(sentence) ? withSizes(sentence) : undefined;
}

/**
 * Writes `104857600 bytes` as `100 MB`, and the other large numbers of the sentence too: they are
 * sizes without a unit.
 */
function withSizes(sentence: string): string {
  if (!/\d bytes\b/.test(sentence)) return sentence;
  return sentence.replace(/\b\d{4,}(?: bytes)?\b/g, (size) =>
    formatBytes(Number.parseInt(size, 10)),
  );
}

/** Whether a sentence names no field, no method and no part of a request. */
function isForPeople(sentence: string): boolean {
  const ofPrograms =
    /[`_]|\b(?:GET|POST|PUT|PATCH|DELETE) |\/v1\b|\b(?:request|header|cursor|JSON)|^\w+:|\b[a-z]+[A-Z]/;
  return !ofPrograms.test(sentence);
}
