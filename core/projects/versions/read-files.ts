import { maxTextBytes } from '../../../contract/operations/file-texts.ts';
import type { ProjectId } from '../../../contract/fields.ts';
import type { AccountCaller } from '../../caller.ts';
import { typeOfFile } from '../../content/media-type.ts';
import { normalPath, quoted } from '../../content/safe-path.ts';
import { CodedError } from '../../errors.ts';
import type { ContentStore } from '../../ports.ts';
import { filePlace, readFilePlace } from '../../visit/file-place.ts';
import type { FileEntry } from '../../visit/manifest.ts';
import { type ReadFilesDeps, readVersion } from './list-files.ts';
import type { VersionWithFiles } from './kept-versions.ts';

/** The text of a file, or why there is none. */
export interface TextOfFile {
  path: string;
  text?: string;
  problem?: string;
}

/**
 * The text of files of a version, exactly as it was uploaded. A file that does not exist, is too large
 * or is not text has a `problem`; the others are returned.
 * @throws CodedError NOT_FOUND, UPLOAD_INCOMPLETE
 */
export async function readFileTexts(
  deps: ReadFilesDeps,
  caller: AccountCaller,
  input: { projectId: string; version?: number | undefined; paths: readonly string[] },
): Promise<{ version: number; files: TextOfFile[] }> {
  const { project, version } = await readVersion(deps, caller, input);
  const files = await textsOf(deps, { projectId: project.id, version }, input.paths);
  return { version: version.version, files };
}

async function textsOf(
  deps: { content: Pick<ContentStore, 'get'> },
  { projectId, version }: { projectId: ProjectId; version: VersionWithFiles },
  paths: readonly string[],
): Promise<TextOfFile[]> {
  let room = maxTextBytes.all;
  const planned = [...new Set(paths.map(normalPath))].map((path) => {
    const entry = version.files.get(path);
    const problem = entry === undefined ? 'does not exist' : sizeProblem(entry, room);
    if (entry === undefined || problem !== undefined) return { path, problem };
    room -= entry.size;
    return { path, entry };
  });
  return Promise.all(
    planned.map(async ({ path, entry, problem = 'does not exist' }) => {
      if (entry === undefined) return { path, problem };
      const place = filePlace({ projectId, store: version.store }, path, entry);
      const bytes = await readFilePlace(deps.content, place);
      return bytes === undefined ? { path, problem: 'was just removed' } : decodeText(path, bytes);
    }),
  );
}

/**
 * One file of the live version, as it was uploaded.
 * @throws CodedError NOT_FOUND, UPLOAD_INCOMPLETE, PAYLOAD_TOO_LARGE above 1 MiB
 */
export async function readFile(
  deps: ReadFilesDeps,
  caller: AccountCaller,
  { projectId, path }: { projectId: string; path: string },
): Promise<{ path: string; contentType: string; bytes: Uint8Array; text: string | undefined }> {
  const { project, version } = await readVersion(deps, caller, { projectId });
  const entry = version.files.get(normalPath(path));
  if (entry === undefined) throw fileNotFound(path);
  if (entry.size > maxTextBytes.all) {
    throw new CodedError('PAYLOAD_TOO_LARGE', {
      error: `${quoted(path)} has ${entry.size} bytes. At most ${maxTextBytes.all} can be read.`,
      nextStep: 'Download the file from the address of the project.',
    });
  }
  const at = { projectId: project.id, store: version.store };
  const place = filePlace(at, normalPath(path), entry);
  const bytes = await readFilePlace(deps.content, place);
  if (bytes === undefined) throw fileNotFound(path);
  const contentType = typeOfFile(path, entry);
  return { path, contentType, bytes, text: decodeText(path, bytes).text };
}

function fileNotFound(path: string): CodedError {
  return new CodedError('NOT_FOUND', {
    error: `The live version has no file ${quoted(path)}.`,
    nextStep: 'Call get_project to list the files of the project.',
  });
}

function sizeProblem({ size }: FileEntry, room: number): string | undefined {
  if (size > maxTextBytes.file) {
    return `has ${size} bytes, more than the ${maxTextBytes.file} that can be read`;
  }
  return size > room
    ? `does not fit into the ${maxTextBytes.all} bytes of one call; ask for it alone`
    : undefined;
}

/** Text round trips byte for byte: invalid UTF-8 is refused, and a byte order mark is kept. */
function decodeText(path: string, bytes: Uint8Array): TextOfFile {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes('\0')) return { path, text };
  } catch {
    // Not UTF-8.
  }
  return { path, problem: 'is not text; its address is the `url` of the project and its path' };
}
