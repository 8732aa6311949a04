import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { commands } from '../../cli/commands.ts';
import { serverCard, serverDescription } from '../../contract/discovery/server-card.ts';
import { interfaceVersion } from '../../contract/openapi/openapi-document.ts';
import { pngIcon } from '../../web/pages/parts/drawings.ts';

const read = (file: string) => readFileSync(file, 'utf8');
const json = (file: string): any => JSON.parse(read(file));
const { version, license } = json('package.json');

/** What the registry of MCP requires of `server.json` (its schema of 2025-12-11, and its rules for servers at an address). */
const RegistryEntry = z.strictObject({
  $schema: z.literal(
    'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  ),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  remotes: z.tuple([
    z.strictObject({
      type: z.literal('streamable-http'),
      url: z.string().regex(/^https:\/\/\S+$/),
      variables: z.record(
        z.string(),
        z.strictObject({
          description: z.string(),
          isRequired: z.boolean(),
          placeholder: z.string(),
        }),
      ),
    }),
  ]),
});

test('server.json is an entry for the registry of MCP, and says what a server card says', () => {
  const entry = RegistryEntry.parse(json('server.json'));
  const [{ url, variables }] = entry.remotes;
  const host = variables['host']?.placeholder ?? '';
  const card = serverCard({ brand: 'Slipway', baseUrl: `https://${host}` });
  expect(url.replace('{host}', host)).toBe(card.remotes[0]?.url);
  expect(entry).toMatchObject({ name: card.name, title: card.title, version: interfaceVersion });
  expect(entry.description).toBe(card.description);
});

describe('the bundle for local clients', () => {
  const manifest = json('mcpb/manifest.json');

  test('has the version, the licence and the description of the product, and files that are there', () => {
    expect(manifest).toMatchObject({ version, license, description: serverDescription });
    for (const file of [manifest.icon, manifest.server.entry_point]) {
      expect([file, existsSync(path.join('mcpb', file))]).toEqual([file, true]);
    }
    expect(readFileSync('mcpb/icon.png').toString('base64')).toBe(pngIcon);
  });

  test('asks for each setting that its command uses', () => {
    const used = [...JSON.stringify(manifest.server).matchAll(/\$\{user_config\.(\w+)\}/g)];
    expect(new Set(used.map(([, name]) => name))).toEqual(
      new Set(Object.keys(manifest.user_config)),
    );
    expect(manifest.user_config.key.sensitive).toBe(true);
  });
});

test('the Claude Code plugin asks for the address, and its marketplace lists it', () => {
  const plugin = json('.claude-plugin/plugin.json');
  expect(plugin).toMatchObject({ name: 'slipway', version, license });
  expect(plugin.mcpServers.slipway).toEqual({ type: 'http', url: '${user_config.url}/mcp' });
  expect(plugin.userConfig.url.required).toBe(true);
  const { plugins } = json('.claude-plugin/marketplace.json');
  expect(plugins).toEqual([expect.objectContaining({ name: plugin.name, source: './' })]);
});

describe('the skill', () => {
  const [, head = '', body = ''] =
    /^---\n([^]*?)\n---\n([^]*)$/.exec(read('skills/slipway/SKILL.md')) ?? [];
  const fields = new Map(
    head.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]),
  );

  test('has the head that agents read first', () => {
    expect(fields.get('name')).toBe('slipway');
    const description = fields.get('description') ?? '';
    expect(description.length).toBeGreaterThan(100);
    expect(description.length).toBeLessThanOrEqual(1024);
    expect(description).toMatch(/Use it when/);
    expect(fields.get('license')).toBe(license);
    expect(body.split('\n').length).toBeLessThan(500);
  });

  test('runs commands that the command line has', () => {
    const named = [...body.matchAll(/cli\.tgz" ([\w-]+)/g)].map(([, name = '']) => name);
    expect(named).toContain('publish');
    expect(Object.keys(commands)).toEqual(expect.arrayContaining(named));
  });
});

test('the action passes inputs as variables and never as a part of a command', () => {
  const action = read('.github/actions/publish/action.yml');
  const commands = [...action.matchAll(/^ +run: (.*)$/gm)].map(([, command]) => command);
  expect(commands).toEqual(['node "$GITHUB_ACTION_PATH/publish.mjs"']);
  const [inputs = ''] = action.split('\noutputs:');
  const declared = [...inputs.matchAll(/^ {2}([\w-]+):$/gm)].map(([, name]) => name);
  const used = [...action.matchAll(/\$\{\{ inputs\.([\w-]+) \}\}/g)].map(([, name]) => name);
  expect(new Set(used)).toEqual(new Set(declared));
});
