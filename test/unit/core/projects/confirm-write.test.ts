import { expect, test } from '@jest/globals';
import { StoreId } from '../../../../core/content/content-keys.ts';
import { confirmWrite } from '../../../../core/projects/confirm-write.ts';
import type { Project, Version } from '../../../../core/projects/project.ts';
import { aProject, aVersion } from '../../../fixtures/projects/a-project.ts';

const after = aProject({ version: 2, lastVersion: 2, revision: 7, title: 'Ours' });
const version = aVersion({ version: 2, store: StoreId.parse('a1') });
const theirs = aVersion({ version: 2, store: StoreId.parse('b2') });

const left = { left: true } as never;

const confirm = (found: Project | undefined, row: Version | undefined, added?: Version) => {
  const projects = { get: async () => found, getVersion: async () => row };
  const written = added === undefined ? { after } : { after, version: added };
  return confirmWrite(projects, written, 'changed')(new Error('no answer'));
};

test.each<[string, Project | undefined, Version | undefined, Version | undefined]>([
  ['a setting', after, undefined, undefined],
  [
    'a setting, without fields that a row leaves out',
    { ...after, retained: undefined },
    undefined,
    undefined,
  ],
  ['a version', after, version, version],
  ['a version with a newer change after it', { ...after, revision: 8 }, version, version],
  [
    'a change of address',
    { ...after, addressHistory: { left, handedOverAt: null } },
    undefined,
    undefined,
  ],
])('%s that was written after all is confirmed', async (_, found, row, added) => {
  await expect(confirm(found, row, added)).resolves.toBe('changed');
});

test.each<[string, Project | undefined, Version | undefined, Version | undefined]>([
  ['no project', undefined, undefined, undefined],
  ['an earlier revision', { ...after, revision: 6 }, undefined, undefined],
  ['a newer revision', { ...after, revision: 8 }, undefined, undefined],
  ['no version', after, undefined, version],
  ['another change of the same millisecond', { ...after, title: 'Theirs' }, undefined, undefined],
  ['another version of the same millisecond', after, theirs, version],
  ['a version that left already', after, undefined, version],
])('%s is not this write: its error is thrown', async (_, found, row, added) => {
  await expect(confirm(found, row, added)).rejects.toThrow('no answer');
});
