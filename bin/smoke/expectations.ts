import { parseJson } from '../../core/json.ts';
import type * as z from 'zod';
import { type SmokeResponse, textOf } from './http-client.ts';

/** What a stage does differently from what a check expects. Its message is one sentence. */
export class Difference extends Error {
  override name = 'Difference';
}

/** A check that cannot run now. Its message says why. */
export class Skipped extends Error {
  override name = 'Skipped';
}

/** @throws Difference unless the response has this status */
export function expectStatus(response: SmokeResponse, status: number): SmokeResponse {
  if (response.status === status) return response;
  const cache = response.headers['x-cache'];
  const origin = cache === undefined ? '' : ` (x-cache: ${String(cache)})`;
  throw new Difference(
    `${requestName(response)} answered ${response.status}, not ${status}${origin}`,
  );
}

/** @throws Difference unless the header matches; `undefined` expects that there is none */
export function expectHeader(
  response: SmokeResponse,
  name: string,
  expected: string | RegExp | undefined,
): string {
  const found = response.headers[name];
  const value = found === undefined ? undefined : String(found);
  const isAsExpected =
    expected instanceof RegExp ? value !== undefined && expected.test(value) : value === expected;
  if (isAsExpected) return value ?? '';
  const got = value === undefined ? 'no such header' : `"${value.slice(0, 200)}"`;
  throw new Difference(
    `${requestName(response)}: ${name} should ${expectationText(expected)}, but there is ${got}`,
  );
}

function expectationText(expected: string | RegExp | undefined): string {
  if (expected === undefined) return 'be absent';
  return expected instanceof RegExp ? `match ${expected}` : `be "${expected}"`;
}

/** @throws Difference unless the body contains this text */
export function expectText(response: SmokeResponse, text: string): void {
  expectThat(textOf(response).includes(text), `${requestName(response)}: "${text}" is missing`);
}

/** @throws Difference unless the body is JSON of this shape */
export function expectJson<T>(response: SmokeResponse, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(jsonOf(response));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue === undefined ? '' : `: ${issue.path.join('.')} ${issue.message}`;
  throw new Difference(`${requestName(response)}: the body is not the expected JSON${where}`);
}

function jsonOf(response: SmokeResponse): unknown {
  const value = parseJson(textOf(response));
  if (value !== undefined) return value;
  throw new Difference(`${requestName(response)} answered ${response.status} without JSON`);
}

/** @throws Difference unless `condition` holds */
export function expectThat(condition: boolean, difference: string): asserts condition {
  if (!condition) throw new Difference(difference);
}

/** The request for a person, without query, tokens and signatures. */
function requestName({ method, url }: SmokeResponse): string {
  return `${method} ${url.replace(/\?.*$/s, '').replaceAll(/\/[\w.-]{30,}/g, '/…')}`;
}
