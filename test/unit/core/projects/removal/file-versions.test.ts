import { describe, expect, test } from '@jest/globals';
import {
  fileRestoration,
  type FileVersion,
} from '../../../../../core/projects/removal/file-versions.ts';

const at = new Date('2026-03-01T08:00:00Z');

/** Versions from `o10 d20`: an object written ten seconds before `at`, a deletion twenty seconds after it. */
function history(...entries: string[]): FileVersion[] {
  return entries.map((entry, index) => {
    const seconds = Number(entry.slice(1));
    return {
      key: 'content/p/s/f',
      versionId: entry,
      writtenAt: new Date(at.getTime() + seconds * 1000),
      isLatest: index === entries.length - 1,
      etag: entry.startsWith('d') ? undefined : entry,
    };
  });
}

function outcome(...entries: string[]): string {
  const restoration = fileRestoration(history(...entries), at);
  if (restoration.kind === 'undelete') {
    return `undelete ${restoration.markers.map(({ versionId }) => versionId).join(' ')}`;
  }
  return restoration.kind === 'copy' ? `copy ${restoration.version.versionId}` : 'none';
}

describe('a file becomes what it was', () => {
  test.each([
    ['nothing happened since', ['o-10'], 'none'],
    ['it was deleted since', ['o-10', 'd20'], 'undelete d20'],
    ['it was deleted twice', ['o-10', 'd20', 'd30'], 'undelete d30 d20'],
    ['it was overwritten', ['o-10', 'o20'], 'copy o-10'],
    ['it was overwritten, then deleted', ['o-10', 'o20', 'd30'], 'copy o-10'],
    ['it was deleted, then written again', ['o-10', 'd20', 'o30'], 'copy o-10'],
    ['it was added since', ['o20'], 'none'],
    ['it was added and deleted since', ['o20', 'd30'], 'none'],
    ['it was deleted before', ['o-20', 'd-10'], 'none'],
    ['it was deleted before and is there again', ['o-20', 'd-10', 'o10'], 'none'],
    ['it was deleted in that very second', ['o-10', 'd0'], 'none'],
  ])('%s', (_, entries, expected) => {
    expect(outcome(...entries)).toBe(expected);
  });

  test('of an object and a marker of one second, the object counts', () => {
    expect(outcome('d-10', 'o-10', 'd20')).toBe('undelete d20');
    expect(outcome('o-10', 'd-10', 'd20')).toBe('undelete d20');
  });

  test('a copy is not repeated', () => {
    const versions = history('o-10', 'o20', 'o30');
    const copy = versions.map((version) =>
      version.isLatest ? { ...version, etag: 'o-10' } : version,
    );
    expect(fileRestoration(copy, at)).toEqual({ kind: 'none' });
  });
});
