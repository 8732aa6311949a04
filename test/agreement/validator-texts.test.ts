import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import type { Operation } from '../../contract/operation.ts';
import { fieldsOf } from '../../contract/operation-parts.ts';
import { operations } from '../../contract/operations.ts';
import { tools } from '../../contract/tools.ts';
import { CodedError } from '../../core/errors.ts';
import { inputOf } from '../../lambdas/http/bind.ts';
import { toolInput } from '../../lambdas/mcp/tool-input.ts';
import { anApiRequest } from '../fixtures/api-request.ts';

/** How the validator's own messages begin, in its English (zod/v4/locales/en); and a pattern, which says nothing to people. */
const validatorText =
  /Invalid (?:input|option|string|number|key|value|discriminator|[A-Z]|email|[a-z]+ )|Too (?:big|small)|expected |received |Unrecognized|must match \//;

const Problems = z.array(z.object({ path: z.string(), message: z.string() }));

/** Values that hardly any field takes. */
const wrongValues: unknown[] = [
  undefined,
  null,
  7,
  -1.5,
  1e300,
  true,
  '',
  'x',
  'x'.repeat(100_000),
  [],
  [null, 7, {}],
  {},
  { a: 1 },
];

/** What the service says of each wrong value of each field; and of a field that it does not know. */
function variants(example: object, names: readonly string[]): object[] {
  const each = ['notAField', ...names].flatMap((name) =>
    wrongValues.map((value) => ({ ...example, [name]: value })),
  );
  return [{}, ...each];
}

async function refusalOf(operation: Operation, input: object): Promise<unknown> {
  const inPath = fieldsOf(operation).filter((field) => field.in === 'path');
  const names = new Set(inPath.map(({ name }) => name));
  const entries = Object.entries(input);
  const texts = (wanted: boolean) => entries.filter(([name]) => names.has(name) === wanted);
  const asText = ([name, value]: [string, unknown]): [string, string] => [name, String(value)];
  const request = anApiRequest(operation, {
    pathParameters: Object.fromEntries(texts(true).map(asText)),
    query: Object.fromEntries(texts(false).map(asText)),
    body: Buffer.from(JSON.stringify(Object.fromEntries(texts(false)))),
  });
  return inputOf(operation, request).then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('no text of the validator reaches a client', () => {
  test.each(operations.map((operation) => [operation.id, operation] as const))(
    'of %s',
    async (_, operation) => {
      const names = fieldsOf(operation).map(({ name }) => name);
      for (const input of variants(operation.example.input, names)) {
        const refusal = await refusalOf(operation, input);
        if (refusal === undefined) continue;
        expect(refusal).toBeInstanceOf(CodedError);
        expect(JSON.stringify(refusal instanceof CodedError && refusal.body)).not.toMatch(
          validatorText,
        );
      }
    },
  );

  test.each(tools.map((tool) => [tool.name, tool] as const))('of the tool %s', (_, tool) => {
    for (const args of variants({}, Object.keys(tool.input.shape))) {
      let refusal: unknown;
      try {
        toolInput(tool, args);
      } catch (error) {
        refusal = error;
      }
      if (refusal === undefined) continue;
      expect(refusal).toBeInstanceOf(CodedError);
      expect(JSON.stringify(refusal instanceof CodedError && refusal.body)).not.toMatch(
        validatorText,
      );
      const named = refusal instanceof CodedError ? fieldProblems(refusal) : [];
      expect(named.length).toBeGreaterThan(0);
      for (const { field, message } of named) {
        expect([...Object.keys(tool.input.shape), 'notAField']).toContain(field);
        expect(message).toMatch(/^(?:must|has|is) .{4}/);
      }
    }
  });
});

/** The top-level field that each problem of a refusal names, and what is said of it. */
function fieldProblems({ body }: CodedError) {
  const details = Problems.parse(body['details']);
  return details.map(({ path, message }) => ({ field: path.split(/[.[]/)[0], message }));
}
