/**
 * The bytes of a value in a response of the API: its body is a JSON string inside the JSON that a
 * function returns to API Gateway, so its quotes are escaped once more.
 */
export function sentBytes(part: unknown): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(part)));
}
