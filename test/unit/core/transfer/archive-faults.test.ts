import { describe, expect, test } from '@jest/globals';
import type { ProjectExport, VersionExport } from '../../../../contract/account-export.ts';
import { findArchiveFault } from '../../../../core/transfer/archive-faults.ts';
import { anArchivedProject, anArchivedVersion } from '../../../fixtures/archives/an-archive.ts';

const aFile = { path: 'index.html', size: 3, hash: 'AAAAAAAAAAAAAAAA' };

/** A version whose totals say what its files are, whatever those are. */
const holding = (path: string) => anArchivedVersion({ home: null }, [{ ...aFile, path }]);
const only = (version: VersionExport) => anArchivedProject({ versions: [version] });

test('an exported project has no fault', () => {
  expect(findArchiveFault(anArchivedProject())).toBeUndefined();
});

describe('a project is refused', () => {
  test.each<[string, ProjectExport, string]>([
    [
      'without its live version',
      anArchivedProject({ liveVersion: 3 }),
      'live version 3 is missing',
    ],
    [
      'with versions in another order',
      anArchivedProject({ versions: anArchivedProject().versions.toReversed() }),
      'out of order',
    ],
    [
      'with a version twice',
      anArchivedProject({ versions: [anArchivedVersion(), anArchivedVersion()], liveVersion: 1 }),
      'out of order',
    ],
    ['with a version that never was', anArchivedProject({ lastVersion: 1 }), 'after its last one'],
    ['without a file', only({ ...anArchivedVersion(), files: [] }), 'version 1 is not whole'],
    ['with another count', only({ ...anArchivedVersion(), fileCount: 9 }), 'is not whole'],
    [
      'with another content',
      only({ ...anArchivedVersion(), filesHash: 'a'.repeat(64) }),
      'is not whole',
    ],
    ['with other bytes', only({ ...anArchivedVersion(), bytes: 1 }), 'has a wrong size'],
    ['without its home page', only({ ...anArchivedVersion(), home: 'x.html' }), 'lacks its home'],
    ['with a path twice', only(anArchivedVersion({}, [aFile, aFile])), 'has a path twice'],
    ['with a path that leads out', only(holding('../x')), 'holds "../x"'],
    ['with our own folder', only(holding('_slipway/media/x')), 'holds "_slipway/media/x"'],
    ['with a path that is not composed', only(holding('u\u0308')), 'holds'],
  ])('%s', (_, project, fault) => {
    expect(findArchiveFault(project)).toContain(fault);
  });
});
