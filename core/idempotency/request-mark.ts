import { createHash, createHmac } from 'node:crypto';

/**
 * Tells one request from another: equal for equal parsed inputs, whatever order their fields came
 * in and however a form was cut into parts. Keyed, because an input may be a six-digit code that a
 * reader of the table would find by trying.
 */
export function requestMark(key: Buffer, input: unknown): string {
  return createHmac('sha256', key).update(canonical(input)).digest('hex');
}

/** JSON with sorted names; bytes stand by their hash. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (part instanceof Uint8Array) return { sha256: hash(part) };
    if (!isRecord(part)) return part;
    return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
