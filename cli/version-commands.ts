import type { Output } from '../web/app/api/contract.ts';
import { type ComparedLine, compareLines } from '../web/app/texts/line-diff.ts';
import { formatBytes, formatRelative } from '../web/app/texts/format.ts';
import { usageError } from './command-error.ts';
import { requireProject, type Session } from './session.ts';
import { columns } from './terminal.ts';

/** `versions`: the kept versions of a project, newest first. */
export async function listVersions(session: Session, [operand]: readonly string[]): Promise<void> {
  const projectId = await requireProject(session, operand);
  const all = await session.service.call('listDeployments', { projectId });
  session.answer(
    { versions: all },
    columns(
      all.map(({ version, status, createdAt, sizeBytes, note = '' }) => [
        String(version),
        status === 'active' ? 'live' : '',
        formatRelative(createdAt),
        sizeBytes === null ? '' : formatBytes(sizeBytes),
        note,
      ]),
    ),
  );
}

/** `diff`: what a version changes against the live one; in the files that are named, line by line. */
export async function diff(
  session: Session,
  [operand, ...paths]: readonly string[],
): Promise<void> {
  const projectId = await requireProject(session);
  if (operand === undefined) throw usageError('Name a version (slipway versions shows them).');
  const found = await session.service.call('diffVersion', { projectId, version: operand });
  if (paths.length > 0) {
    const files = await diffTexts(session, { projectId, paths, found, version: Number(operand) });
    return session.answer({ against: found.against, files }, files.flatMap(linesOf));
  }
  session.answer(found, [
    ...found.added.map((path) => `+ ${path}`),
    ...found.changed.map((path) => `~ ${path}`),
    ...found.removed.map((path) => `- ${path}`),
  ]);
}

/** The differing lines of a file, or why it has none. */
interface FileDiff {
  path: string;
  parts?: ComparedLine[][];
  problem?: string;
}

/** Compares the texts of files of two versions. A file that one of them lacks has no lines there. */
async function diffTexts(
  { service }: Session,
  { projectId, paths, found, version }: DiffRequest,
): Promise<FileDiff[]> {
  const read = async (of: number, missing: readonly string[]) => {
    const answer = await service.call('readFileTexts', {
      projectId,
      paths: [...paths],
      version: of,
    });
    return new Map(
      answer.files.map(({ path, ...file }) => [path, missing.includes(path) ? { text: '' } : file]),
    );
  };
  const is = await read(version, found.removed);
  const was = found.against === null ? undefined : await read(found.against, found.added);
  return [...is].map(([path, after]) => {
    const before = was?.get(path) ?? { text: '' };
    const problem = before.problem ?? after.problem;
    if (problem !== undefined) return { path, problem };
    const parts = compareLines(before.text ?? '', after.text ?? '');
    return parts === undefined ? { path, problem: 'has too many lines' } : { path, parts };
  });
}

interface DiffRequest {
  projectId: string;
  paths: readonly string[];
  found: Output<'diffVersion'>;
  version: number;
}

function linesOf({ path, parts = [], problem }: FileDiff): string[] {
  const heading = problem === undefined ? `~ ${path}` : `${path}: ${problem}`;
  return [heading, ...parts.flatMap((part) => ['⋯', ...part.map(({ sign, text }) => sign + text)])];
}

/** `promote`: makes a draft, or an earlier version, live. */
export async function promote(session: Session, [operand]: readonly string[]): Promise<void> {
  const projectId = await requireProject(session);
  if (operand === undefined) throw usageError('Name a version (slipway versions shows them).');
  await makeLive(session, projectId, Number(operand));
}

/** `rollback`: makes an earlier version live; without one, the version before the live one. */
export async function rollback(session: Session, [operand]: readonly string[]): Promise<void> {
  const projectId = await requireProject(session);
  const version = operand === undefined ? await versionBefore(session, projectId) : Number(operand);
  await makeLive(session, projectId, version);
}

async function makeLive(session: Session, projectId: string, version: number): Promise<void> {
  if (!Number.isInteger(version)) {
    throw usageError('A version is a number.', 'slipway versions shows them.');
  }
  const { url } = await session.service.call('rollBackProject', { projectId, version });
  session.say(`Version ${version} is live.`);
  session.answer({ url, version }, [url]);
}

async function versionBefore(session: Session, projectId: string): Promise<number> {
  const all = await session.service.call('listDeployments', { projectId });
  const live = all.find(({ status }) => status === 'active');
  // Newest first.
  const before = all.find(({ version }) => version < (live?.version ?? 0));
  if (before !== undefined) return before.version;
  throw usageError('There is no version before the live one.', 'slipway versions shows them.');
}
