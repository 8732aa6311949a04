import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { tools } from '../../../contract/tools.ts';
import { signIn } from '../../fixtures/accounts/accounts.ts';
import { type Answer, isLocal } from '../../fixtures/clouds/client.ts';
import { postMcp, rpc } from '../../fixtures/agents/mcp.ts';
import { expectNoInsides } from '../../fixtures/clouds/refusals.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

let key = '';
beforeAll(async () => {
  if (isLocal) key = await signIn();
});

function expectHandled(answer: Answer): void {
  expect({ status: answer.status, text: answer.text }).not.toMatchObject({ status: 500 });
  expect(answer.status).toBeLessThan(500);
  expect(answer.text).not.toContain('INTERNAL');
  expect(answer.text).not.toContain('-32603');
  expectNoInsides(answer.text);
  expect(Buffer.byteLength(answer.text)).toBeLessThan(90_000);
}

const values = fc.oneof(
  { arbitrary: fc.jsonValue({ maxDepth: 2 }), weight: 3 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 300 }), weight: 2 },
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '../../..',
    '-1',
    '1e999',
    'null',
    '💩',
    '\ud800',
    2 ** 53,
    -0.5,
  ),
);
const anyTool = fc.constantFrom(...tools);
/** Arguments by the names that a tool knows, and one that it does not. */
const aCall = anyTool.chain(({ name, input }) =>
  fc
    .dictionary(fc.constantFrom(...Object.keys(input.shape), 'strange', '__proto__'), values)
    .map((args) => ({ name, arguments: args })),
);
const aMessage = fc.record(
  {
    jsonrpc: fc.constantFrom('2.0', '1.0', 2),
    id: fc.oneof(fc.integer(), fc.string(), values),
    method: fc.oneof(
      fc.constantFrom(
        'tools/call',
        'tools/list',
        'initialize',
        'ping',
        'server/discover',
        'subscriptions/listen',
      ),
      values,
    ),
    params: fc.oneof(aCall, values),
  },
  { requiredKeys: [] },
);

local('whatever is sent to /mcp', () => {
  const options = { numRuns: 120, seed: 20_261_121 };

  test('as arguments of tools gets an error message', async () => {
    await fc.assert(
      fc.asyncProperty(aCall, async (params) => {
        const answer = await postMcp(rpc('tools/call', params), { apiKey: key });
        expectHandled(answer);
        expect(answer.status).toBe(200);
      }),
      options,
    );
  });

  test('as a message, in either protocol version, causes no 5xx', async () => {
    const versions = fc.constantFrom(undefined, '2025-06-18', '2026-07-28', '2099-01-01', 'x');
    const names = fc.constantFrom(
      undefined,
      'tools/call',
      'tools/list',
      ...tools.map(({ name }) => name),
    );
    await fc.assert(
      fc.asyncProperty(aMessage, versions, names, async (message, version, name) => {
        const headers = { 'mcp-protocol-version': version, 'mcp-method': name, 'mcp-name': name };
        const sent = Object.entries(headers).filter(([, value]) => value !== undefined);
        const more = { apiKey: key, headers: Object.fromEntries(sent) };
        expectHandled(await postMcp(message, more));
      }),
      options,
    );
  });

  test('as bytes causes no 5xx', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
        expectHandled(await postMcp(Buffer.from(bytes), { apiKey: key }));
      }),
      { ...options, numRuns: 40 },
    );
  });
});
