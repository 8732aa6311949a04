import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { counterTable } from '../../../adapters/dynamodb/counter-table.ts';
import type { StoredObject } from '../../../core/ports.ts';
import { createProject } from '../../../core/projects/publishing/create-project.ts';
import {
  admitTempUpload,
  publishTempProject,
} from '../../../core/projects/publishing/publish-temp.ts';
import { buildZip } from '../../fixtures/archives/zip-builder.ts';
import { localStores, tables } from '../../fixtures/clouds/local-stores.ts';
import { type LocalStores, World } from '../../fixtures/quota/world.ts';
import { filesRunBy, wayOf } from '../../fixtures/ways.ts';

let stores: LocalStores;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const zip = buildZip({
  entries: [
    { name: 'index.html', content: '<!doctype html><title>A site</title>' },
    { name: 'style.css', content: 'p {}', method: 8 },
  ],
});
const files = [{ name: 'site.zip', contentType: 'application/zip', bytes: Buffer.from(zip) }];

/** What a way names without being run. */
function idleOf(title: string, run: readonly string[]): string[] {
  return wayOf(title).filter((file) => /^(?:adapters|core)\//.test(file) && !run.includes(file));
}

test('a publish by an account runs the files of its way', async () => {
  const world = await new World(stores).open();
  const deps = world.deps();
  const caller = await world.caller(0);
  const { done, files: run } = await filesRunBy(() =>
    createProject(deps, caller, { files, access: 'public' }),
  );
  expect(done).toMatchObject({ version: 1, fileCount: 2 });
  expect(idleOf("A publish's way through the code", run)).toEqual([]);
});

test('a ZIP of 500 small files takes two writes to S3: their pack and the manifest', async () => {
  const world = await new World(stores).open();
  const deps = world.deps();
  const puts: number[] = [];
  const content = {
    ...deps.content,
    async put(object: StoredObject) {
      puts.push(object.bytes.length);
      await deps.content.put(object);
    },
  };
  const many = Array.from({ length: 500 }, (_, at) => ({
    name: at === 0 ? 'index.html' : `${at}.css`,
    content: `/* file ${at} */ p { color: teal }`,
    method: 8,
  }));
  const bytes = Buffer.from(buildZip({ entries: many }));
  const { fileCount } = await createProject({ ...deps, content }, await world.caller(0), {
    files: [{ name: 'site.zip', contentType: 'application/zip', bytes }],
    access: 'public',
  });
  expect([fileCount, puts.length]).toEqual([500, 2]);
});

test('a publish without an account runs the files of its way', async () => {
  const world = await new World(stores).open();
  const counters = counterTable(stores.client, tables.counters);
  const deps = { ...world.deps(), counters };
  const caller = { address: '192.0.2.1', requestId: 'request' };
  const { done, files: run } = await filesRunBy(async () => {
    await admitTempUpload(deps, caller);
    return publishTempProject(deps, caller, { files });
  });
  expect(done.claimToken).not.toBe('');
  expect(idleOf("A temporary publish's way through the code", run)).toEqual([]);
});
