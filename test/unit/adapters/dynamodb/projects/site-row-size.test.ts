import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import * as z from 'zod';
import { ProjectSettings } from '../../../../../contract/project-settings.ts';
import { siteRow } from '../../../../../adapters/dynamodb/projects/project-rows.ts';
import { ManifestHash, StoreId } from '../../../../../core/content/content-keys.ts';
import type { StoredObject } from '../../../../../core/ports.ts';
import { buildServingRecord } from '../../../../../core/projects/build-serving-record.ts';
import {
  storeContent,
  storeVersion,
} from '../../../../../core/projects/publishing/store-version.ts';
import { readSiteRules } from '../../../../../core/site-rules/collect-site-rules.ts';
import { aProject, aVersion } from '../../../../fixtures/projects/a-project.ts';
import { itemBytes } from '../../../../fixtures/projects/item-bytes.ts';

/** DynamoDB counts a strongly consistent read of up to this size as one unit. */
const oneUnitBytes = 4096;

/** Text that does not compress. */
const noise = (length: number, seed = '') =>
  Array.from({ length: Math.ceil(length / 86) }, (_, index) =>
    createHash('sha512').update(`${seed}${index}`).digest('base64url'),
  )
    .join('')
    .slice(0, length);

/** The longest value that JSON Schema allows. A text without a limit could be longer than a row. */
function longest(name: string, schema: z.core.JSONSchema.BaseSchema, text: typeof noise): unknown {
  const choices = (schema.anyOf ?? []).map((one) => longest(name, one, text));
  if (choices.length > 0) return choices.toSorted((a, b) => rowBytesOf(b) - rowBytesOf(a))[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined)
    return schema.enum.toSorted((a, b) => rowBytesOf(b) - rowBytesOf(a))[0];
  if (schema.type === 'boolean') return false;
  if (schema.type === 'null') return null;
  if (schema.type !== 'string' || schema.maxLength === undefined) {
    throw new Error(`the setting ${name} has no longest value`);
  }
  return text(schema.maxLength, name);
}

const rowBytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

const settingSchemas = Object.entries(z.toJSONSchema(ProjectSettings).properties ?? {});

/** Every setting of the contract, and the title, as long as it may be. */
const longestSettings = (text: typeof noise) => ({
  title: text(255, 'title'),
  ...Object.fromEntries(
    settingSchemas.map(([name, schema]) => [
      name,
      typeof schema === 'boolean' ? schema : longest(name, schema, text),
    ]),
  ),
});

/** Everything of a project that is copied to its row, as long as it may be, in ASCII. */
const longestTexts = {
  ...longestSettings(noise),
  host: `${'s'.repeat(63)}.sites.example.org`,
  expiresAt: '2026-03-01T11:00:00.000Z',
  archivedAt: '2026-03-01T11:00:00.000Z',
  restingUntil: '2026-03-01T11:00:00.000Z',
  retained: {
    hash: ManifestHash.parse('h'.repeat(43)),
    files: 20_000,
    bytes: 52_428_800,
    until: '2026-03-01T11:00:00.000Z',
  },
};

const pages = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`section-${index % 40}/page-${index}.html`, 'x']),
  );
const redirects = Array.from({ length: 1000 }, (_, i) => `/${noise(60, `${i}`)} /to/${i} 301`);

test('rules that pack well, and are long in memory, are no part of a row', async () => {
  const content = { put: async () => undefined };
  const target = { projectId: aProject().id, store: StoreId.parse('0123456789abcdef') };
  const stored = async (count: number) => {
    const lines = Array.from({ length: count }, () => `/${'a/'.repeat(300)} /b`).join('\n');
    const { rules } = readSiteRules(new Map([['_redirects', lines]]));
    expect(rules?.length).toBeLessThan(600);
    return storeContent(content, target, new Map(), rules);
  };
  expect(await stored(10)).toHaveProperty('rules');
  expect(await stored(100)).toEqual({ manifestHash: expect.any(String) });
});

/** The bytes of the row of a site with these files. */
async function rowBytes(contents: Record<string, string>, settings = {}) {
  const objects: StoredObject[] = [];
  const content = {
    put: async (object: StoredObject) => void objects.push(object),
    get: async () => undefined,
    putLarge: async () => undefined,
    deletePrefix: async () => undefined,
  };
  const files = Object.entries({ 'index.html': 'home', ...contents });
  async function* each() {
    for (const [path, text] of files) {
      yield { path, size: text.length, content: [Buffer.from(text)] };
    }
  }
  const upload = { type: 'zip', home: 'index.html', title: 'T', bytes: 1, files: each } as const;
  const target = { projectId: aProject().id, store: StoreId.parse('0123456789abcdef') };
  const stored = await storeVersion(content, target, { ...upload, fileCount: files.length });
  const version = { ...aVersion(), ...stored, markupRevision: 1 };
  return itemBytes(siteRow(buildServingRecord(aProject(settings), version)));
}

test.each<[string, Record<string, string>]>([
  ['one file', {}],
  ['100 files', pages(100)],
  ['2,000 files', pages(2000)],
  ['as many redirects as fit', { _redirects: redirects.join('\n') }],
  [
    '2,000 files and as many rules as fit',
    { ...pages(2000), _redirects: redirects.join('\n'), _headers: '/*\n  X-A: 1' },
  ],
])('a visit of a site with %s reads one unit, even with its longest texts', async (_, files) => {
  expect(await rowBytes(files)).toBeLessThanOrEqual(oneUnitBytes);
  expect(await rowBytes(files, longestTexts)).toBeLessThanOrEqual(oneUnitBytes);
});

test('texts in a script of three bytes a letter may make it a second one', async () => {
  const settings = longestSettings((length) => '港'.repeat(length));
  expect(await rowBytes(pages(2000), settings)).toBeLessThanOrEqual(2 * oneUnitBytes);
});
