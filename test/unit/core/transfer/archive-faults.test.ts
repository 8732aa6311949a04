import { describe, expect, test } from '@jest/globals';
import type { ArchivedProject, ArchivedVersion } from '../../../../contract/account-export.ts';
import { faultOf } from '../../../../core/transfer/archive-faults.ts';
import { anArchivedProject, anArchivedVersion } from '../../../fixtures/archives/an-archive.ts';

const aFile = { path: 'index.html', size: 3, hash: 'AAAAAAAAAAAAAAAA' };

/** A version whose sums say what its files are, whatever those are. */
const holding = (path: string) => anArchivedVersion({ home: null }, [{ ...aFile, path }]);
const only = (version: ArchivedVersion) => anArchivedProject({ versions: [version] });

test('a project as it was exported has no fault', () => {
  expect(faultOf(anArchivedProject())).toBeUndefined();
});

describe('a project is refused', () => {
  test.each<[string, ArchivedProject, string]>([
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
    expect(faultOf(project)).toContain(fault);
  });
});
