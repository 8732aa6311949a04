import { createHash, createHmac } from 'node:crypto';

/**
 * Tells one request from another: equal for equal parsed inputs, whatever order their fields came
 * in and however a form was cut into parts. Keyed, because an input may be a six-digit code that a
 * reader of the table would find by trying.
 */
export function requestMark(key: Buffer, input: unknown): string {
  return createHmac('sha256', key).update(canonical(input)).digest('hex');
}

/**
 * JSON with sorted names; bytes stand by their hash. Not by a replacer of `JSON.stringify`: a Buffer
 * comes to one as a list of numbers.
 */
function canonical(value: unknown): string {
  if (value instanceof Uint8Array) return `sha256:${hash(value)}`;
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`);
  return `{${fields.join()}}`;
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
