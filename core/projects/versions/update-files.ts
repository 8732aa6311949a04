import type { UploadedFile } from '../../../contract/fields.ts';
import type { AccountCaller } from '../../caller.ts';
import { checkedFiles } from '../../content/prepare-upload.ts';
import { quoted } from '../../content/safe-path.ts';
import { CodedError } from '../../errors.ts';
import { failingAsUpload } from '../publishing/failing-as-upload.ts';
import type { Merge } from './merge-files.ts';
import { ownedProject } from '../owned-project.ts';
import { checkExpected, pushVersion } from './push-version.ts';
import { limitsOf } from '../quota.ts';
import { replaceFiles, type ReplaceFilesDeps, viewPushed } from './replace-files.ts';
import { uploadLimits } from '../publishing/upload-limits.ts';

/** A change of a project's files. */
export interface FileUpdate {
  projectId: string;
  files?: readonly UploadedFile[] | undefined;
  /** Paths of the live version; only with `merge`. */
  delete?: readonly string[] | undefined;
  /** Whether the files go into the live version, or take its place. */
  mode: 'merge' | 'replace';
  /** The live version that the change was made from. */
  expectedVersion?: number | undefined;
}

/**
 * Publishes a new version with some files of the live one added, replaced or removed, or with all
 * of them replaced. A merge is made into the version that is live when it is written, whoever else
 * changes the project meanwhile. What is live already makes no new version.
 * @throws CodedError INVALID_REQUEST; those of planMerge and replaceFiles
 */
export async function updateFiles(
  deps: ReplaceFilesDeps,
  caller: AccountCaller,
  { files = [], delete: paths = [], mode, ...input }: FileUpdate,
) {
  if (mode === 'merge') return mergeFiles(deps, caller, { ...input, files, paths });
  if (paths.length > 0) {
    throw refused('delete', '`delete` goes with the mode `merge`; `replace` keeps no file');
  }
  if (files.length === 0) throw refused('files', '`files` has to hold at least one file');
  return replaceFiles(deps, caller, { ...input, files });
}

async function mergeFiles(
  deps: ReplaceFilesDeps,
  caller: AccountCaller,
  input: Pick<FileUpdate, 'projectId' | 'expectedVersion'> & {
    files: readonly UploadedFile[];
    paths: readonly string[];
  },
) {
  const { projectId, expectedVersion, files, paths } = input;
  const project = await ownedProject(deps.projects, caller, projectId);
  checkExpected(project, expectedVersion);
  const limits = limitsOf(deps.plans, caller.account, deps.now());
  const sent = checkedFiles(files, uploadLimits(limits));
  const merge = { sent, deleted: [...new Set(paths.map((path) => path.normalize('NFC')))] };
  checkMerge(merge);
  const pushed = await failingAsUpload(caller, () =>
    pushVersion(deps, caller, { project, merge, expectedVersion }),
  );
  return viewPushed(deps, pushed);
}

function checkMerge({ sent, deleted }: Merge): void {
  if (sent.size === 0 && deleted.length === 0) {
    throw refused('files', 'there is nothing to do: send `files`, or paths to `delete`');
  }
  const both = deleted.find((path) => sent.has(path));
  if (both !== undefined) throw refused('delete', `${quoted(both)} is both sent and deleted`);
}

function refused(field: 'files' | 'delete', message: string): CodedError {
  return new CodedError('INVALID_REQUEST', {
    error: `The files were not changed: ${message}.`,
    details: [{ path: field, message }],
  });
}
