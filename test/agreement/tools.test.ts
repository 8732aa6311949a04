import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { errorCatalogue, errorCodes } from '../../contract/errors.ts';
import { oauthScopes } from '../../contract/oauth/oauth.ts';
import { operations } from '../../contract/operations.ts';
import { describeTool, type Tool } from '../../contract/tool.ts';
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
/** A word that looks like the name of a tool. */
const toolWord = '\\b(publish|create|update|delete|list|get)_[a-z]+(_[a-z]+)*\\b';

/** What a tool takes that its operation does not, and why. */
const ownFields: Partial<Record<Tool['name'], string[]>> = {
  // A ZIP in the call: the operation takes it as a file, and the key as a header. Copying is an operation of its own.
  publish_site: ['zipBase64', 'copyOf', 'idempotencyKey'],
  // Merging is offered to agents alone. Previews have operations of their own.
  update_project_files: ['delete', 'mode', 'preview', 'idempotencyKey'],
  delete_project: ['preview'],
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
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
    expect(bound.map(({ tool }) => tool)).toEqual([...tools]);
  });

  test.each(each)('%s: its hints and its scope follow from its operation', (name, one) => {
    const { method, path } = one.operation;
    const isReading = method === 'GET';
    // What names a project may replace its content: also an upload link.
    const mayDestroy = !isReading && (path.includes('{') || 'projectId' in one.input.shape);
    expect(described.find((other) => other.name === name)?.annotations).toEqual({
      title: one.title,
      readOnlyHint: isReading,
      destructiveHint: mayDestroy,
      idempotentHint: method !== 'POST',
      openWorldHint: !isReading,
    });
    expect(one.scope).toMatch(isReading ? /^\w+:read$/ : /^\w+:write$/);
    expect(oauthScopes).toContain(one.scope);
  });

  test('have an icon each', () => {
    const files = tools.map(({ icon }) => icon.file);
    expect(new Set(files).size).toBe(tools.length);
    for (const { icon } of tools) {
      expect(icon.file).toMatch(/^[a-z]+$/);
      expect(icon.path).toMatch(/^M[\d .a-zA-Z-]+$/);
    }
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
});

test('no text of the product or of its documents names a tool that does not exist', () => {
  const names = new Set(tools.map(({ name }) => name));
  const named = execFileSync(
    'git',
    ['grep', '-hoE', toolWord, '--', 'contract', 'core', 'lambdas', 'web', 'lib', '*.md', '*.json'],
    { encoding: 'utf8' },
  );
  const words = named.trim().split('\n');
  expect(words.length).toBeGreaterThan(50);
  expect([...new Set(words)].filter((word) => !names.has(word))).toEqual([]);
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
