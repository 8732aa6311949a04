import { beforeAll, describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { errorCodes } from '../../../../contract/errors.ts';
import { getAccountTool } from '../../../../contract/tools/get-account-tool.ts';
import { readOnlyHints, tool } from '../../../../contract/tool.ts';
import { CodedError } from '../../../../core/errors.ts';
import type { Agent } from '../../../../lambdas/mcp/admit.ts';
import { bindTool } from '../../../../lambdas/mcp/bind-tool.ts';
import { ReferenceNotFound } from '../../../../core/projects/change/reference-not-found.ts';
import { nextStepOf } from '../../../../lambdas/mcp/tool-result.ts';
import { logger } from '../../../../lambdas/shared/logger.ts';

beforeAll(() => logger.setLogLevel('SILENT'));

const agent = {
  caller: { requestId: 'request-1', address: '192.0.2.1', account: { id: 'a' } },
  scopes: ['projects:read'],
} as unknown as Agent;

const greet = tool({
  ...getAccountTool,
  hints: readOnlyHints,
  scope: 'projects:read',
  input: z.strictObject({
    name: z.string().max(80),
    count: z.int().optional(),
    password: z.string().max(3).optional(),
    inner: z.array(z.strictObject({ path: z.string() })).optional(),
  }),
  output: z.object({ greeting: z.string() }),
});
const run = (answer: () => Promise<any>) => bindTool(greet, answer);
const ok = run(async () => ({ output: { greeting: 'Hello', secret: 'x' } }));
const textOf = ({ content: [block] }: Awaited<ReturnType<typeof ok.call>>) =>
  block?.type === 'text' ? block.text : '';

describe('the result of a tool', () => {
  test('has the fields of its output schema, as data and as default text', async () => {
    expect(await ok.call(agent, { name: 'x' })).toEqual({
      content: [{ type: 'text', text: '{"greeting":"Hello"}' }],
      structuredContent: { greeting: 'Hello' },
    });
  });

  test('has only the request id of an exception', async () => {
    const insides = 'connect ECONNREFUSED 10.0.0.1 arn:aws:dynamodb';
    const broken = run(async () => {
      throw new Error(insides);
    });
    const result = await broken.call(agent, { name: 'x' });
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toBeUndefined();
    expect(textOf(result)).toContain('"requestId":"request-1"');
    expect(JSON.stringify(result)).not.toMatch(/ECONNREFUSED|arn:aws|10\.0\.0/);
  });

  test('is an error if the output does not match the schema', async () => {
    const result = await run(async () => ({ output: { greeting: 7 } })).call(agent, { name: 'x' });
    expect(textOf(result)).toContain('"code":"INTERNAL"');
    expect(textOf(result)).not.toContain('greeting');
  });
});

describe('arguments', () => {
  test.each<[string, unknown, string[]]>([
    ['a missing field', {}, ['name']],
    ['another type', { name: 7 }, ['name', '(sent: 7)']],
    ['a value out of bounds', { name: 'n', count: 1.5 }, ['count', '(sent: 1.5)']],
    ['an unknown field', { name: 'n', nmae: 'x' }, ['nmae: is not a field', 'is not a field']],
    [
      'an unknown field inside',
      { name: 'n', inner: [{ path: 'a', mode: 'x' }] },
      ['inner[0].mode'],
    ],
    ['half of a character', { name: 'a\ud800' }, ['name', 'surrogate']],
    ['no object', 'hello', ['arguments']],
    ['a list', [], ['arguments']],
  ])('the error of %s contains the sent value', async (_, args, expected) => {
    const result = await ok.call(agent, args);
    const [problem, next, data = ''] = textOf(result).split('\n');
    for (const words of expected) expect(problem).toContain(words);
    expect(next).toBe('Next: Correct the fields listed in `details`, then call the tool again.');
    expect(JSON.parse(data)).toMatchObject({
      code: 'INVALID_REQUEST',
      details: [expect.any(Object)],
    });
  });

  test('a long value is truncated, control characters and a password are omitted', async () => {
    const long = await ok.call(agent, { name: '\u202e\u0007'.repeat(60) });
    expect(textOf(long)).not.toMatch(/\p{Bidi_Control}|(?!\n)\p{Cc}/u);
    expect(textOf(long).length).toBeLessThan(600);
    const secret = await ok.call(agent, { name: 'n', password: 'geheim' });
    expect(textOf(secret)).not.toContain('geheim');
  });

  test('as many items as no tool takes are refused before they are checked, also as text', async () => {
    const startedAt = performance.now();
    const inner = Array.from({ length: 2_000_000 }, () => 0);
    expect(textOf(await ok.call(agent, { name: 'n', inner }))).toContain('more than 2000 items');
    expect((await ok.call(agent, { name: 'n', inner: JSON.stringify(inner) })).isError).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });

  test('a name of a megabyte is not sent back', async () => {
    const long = 'n'.repeat(1_000_000);
    for (const args of [{ [long]: 1 }, { name: 'n', inner: [{ path: 'a', [long]: 1 }] }]) {
      expect(textOf(await ok.call(agent, args)).length).toBeLessThan(2000);
    }
  });

  test('ten thousand unknown fields give a short error', async () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`f${n}`, n]));
    expect(textOf(await ok.call(agent, many)).length).toBeLessThan(10_000);
  });
});

test('of thousands of choices only some are listed', async () => {
  const htmlPaths = Array.from({ length: 20_000 }, (_, n) => `${'p'.repeat(1000)}/${n}.html`);
  const choosing = run(async () => {
    throw new CodedError('ZIP_MULTIPLE_HTML', { error: 'Several.', htmlPaths });
  });
  const words = textOf(await choosing.call(agent, { name: 'x' }));
  expect(words.length).toBeLessThan(25_000);
  const data = JSON.parse(words.split('\n')[2] ?? '');
  expect([data.htmlPaths.length, data.htmlPathsCount]).toEqual([20, 20_000]);
});

describe('the next step', () => {
  test('is the error’s own if an agent can follow it', () => {
    const own = new CodedError('NOT_FOUND', { error: 'x', nextStep: 'Wait a minute.' });
    expect(nextStepOf(own)).toBe('Wait a minute.');
    const http = new CodedError('NOT_FOUND', { error: 'x', nextStep: 'Call GET /v1/projects.' });
    expect(nextStepOf(http)).toContain('list_projects');
  });

  test('names what the field refers to, if the id of something else is unknown', () => {
    expect(nextStepOf(new ReferenceNotFound('domainId'))).toContain('custom domain');
    expect(new ReferenceNotFound('domainId').body).toMatchObject({
      nextStep: expect.stringContaining('GET /v1/domains'),
    });
  });

  test('every code has one', () => {
    for (const code of errorCodes) {
      expect(nextStepOf(new CodedError(code, { error: 'x' } as never))).toMatch(/\S/);
    }
  });
});
