import { beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { errorCatalogue, errorCodes } from '../../contract/errors.ts';
import { oauthScopes } from '../../contract/oauth/oauth.ts';
import { operations } from '../../contract/operations.ts';
import { describeTool, type Tool } from '../../contract/tool.ts';
import { toolNames } from '../../contract/tools/tool-names.ts';
import { toolNextSteps } from '../../contract/tool-errors.ts';
import { tools } from '../../contract/tools.ts';
import { updateProjectSettings } from '../../contract/operations/project-settings.ts';
import { formats } from '../fixtures/clouds/api-document.ts';
import type { BoundTool } from '../../lambdas/mcp/bind-tool.ts';

let bound: readonly BoundTool[];
beforeAll(async () => {
  bound = (await import('../../lambdas/mcp/tools/bound-tools.ts')).boundTools;
});

const each = tools.map((one) => [one.name, one] as const);
const described = tools.map((one) => describeTool(one, 'https://app.example.com'));
/** Words that look like the name of a tool. */
const spoken = (words: string) =>
  [...words.matchAll(/\b(?:publish|create|update|delete|list|get)_[a-z_]+/g)].map(([name]) => name);

/** What a tool takes that its operation does not, and why. */
const ownFields: Partial<Record<Tool['name'], string[]>> = {
  // A ZIP in the call: the operation takes it as a file, and the key as a header.
  publish_site: ['zipBase64', 'idempotencyKey'],
  // Merging is offered to agents alone.
  update_project_files: ['delete', 'mode', 'idempotencyKey'],
  // A rollback is an operation of its own.
  update_project_settings: ['liveVersion'],
  // The operation has other operations beside it for files and versions.
  get_project: ['readFiles', 'version', 'filesCursor'],
  // Pages are followed by a cursor, not counted.
  list_projects: ['cursor'],
  // The operation names a file: id and ending.
  get_qr_code: ['projectId'],
};

describe('the tools', () => {
  test('are those of the contract, each once, each bound', () => {
    expect(tools.map(({ name }) => name)).toEqual([...toolNames]);
    expect(bound.map(({ tool }) => tool)).toEqual([...tools]);
  });

  const [looks, adds, changes] = [
    'true false true false',
    'false false false true',
    'false true true true',
  ];
  test.each([
    ['list_projects', looks, 'projects:read'],
    ['get_project', looks, 'projects:read'],
    ['get_qr_code', looks, 'projects:read'],
    ['get_link_opens', looks, 'projects:read'],
    ['get_account', looks, 'account:read'],
    ['publish_site', adds, 'projects:write'],
    // A link can replace a project.
    ['create_upload_link', 'false true false true', 'projects:write'],
    ['update_project_files', changes, 'projects:write'],
    ['update_project_settings', changes, 'projects:write'],
    ['delete_project', changes, 'projects:write'],
  ])('%s says all four hints, and has its scope', (name, hints, scope) => {
    const found = tools.find((one) => one.name === name);
    const { annotations: hint } = described.find((one) => one.name === name) ?? {};
    const said = [
      hint?.readOnlyHint,
      hint?.destructiveHint,
      hint?.idempotentHint,
      hint?.openWorldHint,
    ];
    expect(said.join(' ')).toBe(hints);
    expect(found?.scope).toBe(scope);
    expect(oauthScopes).toContain(scope);
  });

  test.each(each)('%s stands on an operation, and has its fields', (name, { operation, input }) => {
    expect(operations).toContain(operation);
    const theirs = new Set([...Object.keys(operation.input.shape), ...(ownFields[name] ?? [])]);
    expect(Object.keys(input.shape).filter((field) => !theirs.has(field))).toEqual([]);
  });

  test('update_project_settings takes every field of PATCH', () => {
    const settings = tools.find(({ name }) => name === 'update_project_settings');
    expect(Object.keys(settings?.input.shape ?? {})).toEqual(
      expect.arrayContaining(Object.keys(updateProjectSettings.input.shape)),
    );
  });
});

describe('tools/list', () => {
  test('stays under 24 kB: every conversation pays for it', () => {
    const bytes = Buffer.byteLength(JSON.stringify(described));
    console.log(`tools/list has ${bytes} bytes`);
    expect(bytes).toBeLessThan(24_000);
  });

  test.each(described.map((one) => [one.name, one] as const))(
    '%s: picky clients read its schemas',
    (_, { inputSchema, outputSchema, title, description }) => {
      expect(title).toMatch(/^[A-Z].{3,50}$/);
      expect(description.length).toBeGreaterThan(100);
      for (const schema of [inputSchema, outputSchema]) {
        expect(schema.type).toBe('object');
        for (const word of ['anyOf', 'oneOf', 'allOf', 'not', '$schema', '$defs']) {
          expect(schema).not.toHaveProperty(word);
        }
        expect(JSON.stringify(schema)).not.toContain('$ref');
        formats(new Ajv2020({ strict: true, allowUnionTypes: true })).compile(schema);
        formats(new Ajv({ strict: true, allowUnionTypes: true }) as never).compile(schema);
      }
      expect(inputSchema['additionalProperties']).toBe(false);
      expect(outputSchema).not.toHaveProperty('additionalProperties');
    },
  );

  test.each(described.map((one) => [one.name, one] as const))(
    '%s: every field is described, with an example',
    (_, { inputSchema }) => {
      for (const [field, { description }] of Object.entries(inputSchema.properties)) {
        expect([field, description]).toEqual([field, expect.stringMatching(/example/i)]);
      }
    },
  );

  test('speaks of no tool that there is not', () => {
    const words = [...tools.map(({ description }) => description), ...Object.values(toolNextSteps)];
    const names = words.flatMap((one) => spoken(one ?? ''));
    expect(names.length).toBeGreaterThan(15);
    for (const name of names) expect(toolNames).toContain(name);
  });
});

describe('what an agent is told of an error', () => {
  test.each(errorCodes)('%s: in words of tools, not of HTTP routes', (code) => {
    const step = toolNextSteps[code] ?? errorCatalogue[code].nextStep;
    expect(step).toMatch(/\S/);
    expect(step).not.toMatch(/\/v1\/|\b(?:GET|PUT|PATCH|DELETE) \//);
  });
});

test('no tool and no operation says that a deletion is for ever: owners restore what they deleted', () => {
  const texts = [
    ...described.map((one) => JSON.stringify(one)),
    ...operations.map(({ id, summary }) => `${id}: ${summary}`),
  ];
  expect(
    texts.filter((words) => /permanent|irrevocabl|for ever\b|cannot be undone/i.test(words)),
  ).toEqual([]);
});
