import { describe, expect, test } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as z from 'zod';
import { errorCatalogue, errorCodes } from '../../contract/errors.ts';
import { isAnonymous, type Operation, operation } from '../../contract/operation.ts';
import { errorsOf } from '../../contract/operation-errors.ts';
import { operations } from '../../contract/operations.ts';
import { errorComponents } from '../../contract/openapi/errors.ts';
import { openApiDocument } from '../../contract/openapi/openapi-document.ts';
import { formats } from '../fixtures/clouds/api-document.ts';

const described = { brand: 'Slipway', baseUrl: 'https://app.example.com' };
const document: any = openApiDocument(described, operations);
const everyError: any = errorComponents(errorCodes);
/** Each validator of its own would compile the schema of schemas again. */
const ajv = formats(new Ajv2020({ strict: false }));

const anOperation = (more: Partial<Operation>): Operation => ({
  ...operation({
    id: 'doThing',
    group: 'system',
    route: 'POST /v1/things/{thingId}',
    summary: 'Do a thing.',
    auth: 'none',
    body: 'json',
    input: z.object({ thingId: z.string(), name: z.string(), note: z.string().optional() }),
    output: z.object({ done: z.boolean() }),
    example: { input: { thingId: 'a', name: 'b' }, output: { done: true } },
  }),
  ...more,
});
const itemOf = (one: Operation): any =>
  (openApiDocument(described, [one]) as any).paths[one.path][one.method.toLowerCase()];

describe('the document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
    expect(validator.version).toBe('3.1');
  });

  test('Redocly finds nothing but what the specification demands', async () => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      telemetry: 'off',
      // The examples of this test are about example.com.
      rules: { 'no-server-example.com': 'off' },
    });
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    const findings = problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
    // Both addresses are the specification's. `claim` is no UUID, so nothing is ambiguous for callers.
    const claim = /^no-ambiguous-paths: .*`\/v1\/projects\/claim\/\{claimToken\}`/;
    expect(findings.filter((finding) => !claim.test(finding))).toEqual([]);
  });

  test('Redocly finds a scheme that is not defined', async () => {
    const broken: any = openApiDocument(described, [anOperation({})]);
    broken.paths['/v1/things/{thingId}'].post.security = [{ optional: [] }];
    const config = await createConfig({ extends: ['recommended-strict'], telemetry: 'off' });
    const problems = await lintFromString({ source: JSON.stringify(broken), config });
    expect(problems.map(({ ruleId }) => ruleId)).toContain('security-defined');
  });

  test('an upload is a form with files, or JSON that names a staged upload', () => {
    const uploads = operations.filter(({ body }) => body === 'upload');
    expect(uploads.length).toBeGreaterThan(3);
    for (const one of uploads) {
      const { required, content } = itemOf(one).requestBody;
      const form = content['multipart/form-data'];
      const json = content['application/json'];
      expect(required).toBe(true);
      expect(form.schema.oneOf).toEqual([{ required: ['files'] }, { required: ['uploadId'] }]);
      expect(form.examples.request.value.files).toHaveLength(1);
      expect(json.schema.properties).not.toHaveProperty('files');
      expect(json.schema.required).toContain('uploadId');
      expect(json.examples.request.value).toHaveProperty('uploadId');
    }
  });

  test('survives being sent', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  test('holds every operation once, and nothing else', () => {
    const described = Object.entries<any>(document.paths).flatMap(([path, item]) =>
      Object.entries<any>(item).map(([method, { operationId }]) => [
        `${method.toUpperCase()} ${path}`,
        operationId,
      ]),
    );
    expect(Object.fromEntries(described)).toEqual(
      Object.fromEntries(operations.map(({ method, path, id }) => [`${method} ${path}`, id])),
    );
  });

  test('names every error an operation can answer, at its status, with an example that fits', () => {
    for (const one of operations) {
      const { responses } = itemOf(one);
      for (const code of errorsOf(one)) {
        const { status } = errorCatalogue[code];
        const { schema, examples } = responses[status].content['application/json'];
        const names = (schema.oneOf ?? [schema]).map((ref: any) => ref.$ref);
        expect(names).toContain(`#/components/schemas/${code}`);
        expect(examples[code].$ref).toBe(`#/components/examples/${code}`);
      }
    }
  });

  test.each(errorCodes)('%s: its example fits its schema and the catalogue', (code) => {
    const example = everyError.examples[code].value;
    const validate = ajv.compile(everyError.schemas[code]);
    expect([validate(example), validate.errors]).toEqual([true, null]);
    expect(validate({ ...example, more: 1 })).toBe(false);
    const { extra }: { status: number; extra?: z.ZodObject } = errorCatalogue[code];
    expect(extra === undefined || extra.safeParse(example).success).toBe(true);
    expect(example.nextStep).toBe(errorCatalogue[code].nextStep);
  });
});

describe('examples', () => {
  test.each(operations.map((one) => [one.id, one] as const))(
    '%s: fits its own schemas',
    (_, one) => {
      expect(one.input.safeParse(one.example.input).error).toBeUndefined();
      expect(one.output.safeParse(one.example.output).error).toBeUndefined();
    },
  );

  test.each(operations.map((one) => [one.id, one] as const))('%s: fits the document', (_, one) => {
    const { responses, requestBody } = itemOf(one);
    for (const content of [responses[one.status], requestBody]) {
      for (const { schema, examples = {} } of Object.values<any>(content?.content ?? {})) {
        for (const { value } of Object.values<any>(examples)) {
          const validate = ajv.compile(schema);
          expect([validate(value), validate.errors]).toEqual([true, null]);
        }
      }
    }
  });
});

describe('by rule', () => {
  test('fields go into the path, the body where there is one, and else the query', () => {
    const { parameters, requestBody } = itemOf(anOperation({}));
    expect(parameters).toEqual([
      { name: 'thingId', in: 'path', required: true, schema: { type: 'string' }, example: 'a' },
      { $ref: '#/components/parameters/IdempotencyKey' },
    ]);
    expect(requestBody.content['application/json'].schema).toMatchObject({
      properties: { name: { type: 'string' }, note: { type: 'string' } },
      required: ['name'],
    });
    const getItem = itemOf(anOperation({ method: 'GET', body: 'none' }));
    expect(getItem.parameters.map((one: any) => [one.name, one.in, one.required])).toEqual([
      ['thingId', 'path', true],
      ['name', 'query', true],
      ['note', 'query', false],
    ]);
    expect(getItem).not.toHaveProperty('requestBody');
  });

  const common = ['FORBIDDEN', 'RATE_LIMITED', 'INTERNAL', 'TIMEOUT', 'UNAVAILABLE'];
  const keys = ['API_KEY_MISSING', 'API_KEY_INVALID', 'API_KEY_EXPIRED', 'ACCOUNT_SUSPENDED'];
  const getItem = {
    method: 'GET',
    body: 'none',
    input: z.object({ thingId: z.string() }),
  } as const;
  const written = ['IDEMPOTENCY_CONFLICT', 'INVALID_REQUEST'];
  const sent = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];
  const ofUploads = [
    'TOO_MANY_FILES',
    'SECRETS_FOUND',
    'FILE_TYPE_REFUSED',
    'UPLOAD_INCOMPLETE',
    'UPLOAD_FAILED',
  ];
  test.each<[string, Partial<Operation>, string[]]>([
    ['that only asks', getItem, []],
    ['with a query', { method: 'GET', body: 'none' }, ['INVALID_REQUEST']],
    ['with a key or in a session', { ...getItem, auth: 'key' }, [...keys, 'SESSION_MISSING']],
    ['with a key alone', { ...getItem, auth: 'key-only' }, keys],
    [
      'that writes with a key or in a session',
      { auth: 'key', body: 'none' },
      [...written, ...keys, 'SESSION_MISSING', 'ORIGIN_REFUSED'],
    ],
    ['in a session', { ...getItem, auth: 'session' }, ['SESSION_MISSING', 'ACCOUNT_SUSPENDED']],
    [
      'paid',
      { ...getItem, auth: 'key', paid: true },
      [...keys, 'SESSION_MISSING', 'FREE_TIER_RESTRICTED'],
    ],
    ['that writes without a body', { body: 'none' }, written],
    [
      'that writes in a session',
      { auth: 'session' },
      [...written, ...sent, 'SESSION_MISSING', 'ACCOUNT_SUSPENDED', 'ORIGIN_REFUSED'],
    ],
    ['with a form', { body: 'upload' }, [...written, ...sent, ...ofUploads]],
    [
      'with rules of its own',
      { invalid: 'VALIDATION_FAILED' },
      ['IDEMPOTENCY_CONFLICT', ...sent, 'VALIDATION_FAILED'],
    ],
    ['with errors of its own', { ...getItem, errors: ['SLUG_TAKEN'] }, ['SLUG_TAKEN']],
  ])('an operation %s can meet', (_, more, expected) => {
    expect(errorsOf(anOperation(more)).toSorted()).toEqual([...common, ...expected].toSorted());
  });

  test('no operation names an error that follows from its other fields', () => {
    const named = operations.flatMap((one) => {
      const others = errorsOf({ ...one, errors: [] });
      // That of an operation without a credential tells that its answers have the headers of a limit.
      const isTold = (code: string) => code === 'RATE_LIMITED' && isAnonymous(one);
      const twice = one.errors.filter((code) => others.includes(code) && !isTold(code));
      return twice.map((code) => `${one.id} ${code}`);
    });
    expect(named).toEqual([]);
  });

  test('answers are closed, and forms carry files as bytes', () => {
    const { content } = itemOf(anOperation({})).responses[200];
    expect(content['application/json'].schema).toEqual({
      type: 'object',
      properties: {
        status: { const: 'success' },
        data: {
          type: 'object',
          properties: { done: { type: 'boolean' } },
          required: ['done'],
          additionalProperties: false,
        },
      },
      required: ['status', 'data'],
      additionalProperties: false,
    });
    const form = document.paths['/v1/projects'].post.requestBody.content['multipart/form-data'];
    expect(form.schema.properties.files).toEqual({
      type: 'array',
      minItems: 1,
      items: { type: 'string', format: 'binary' },
    });
  });

  test.each([
    ['none', []],
    ['optional', [{}, { key: ['projects:write'] }, { session: [] }]],
    ['key', [{ key: ['projects:write'] }, { session: [] }]],
    ['session', [{ session: [] }]],
    ['key-only', [{ key: ['projects:write'] }]],
  ] as const)('auth %s is told', (auth, security) => {
    expect(itemOf(anOperation({ auth })).security).toEqual(security);
  });
});
