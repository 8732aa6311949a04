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
      all.map(({ version, status, createdAt, sizeBytes }) => [
        String(version),
        status === 'active' ? 'live' : '',
        formatRelative(createdAt),
        sizeBytes === null ? '' : formatBytes(sizeBytes),
      ]),
    ),
  );
}

/** `diff`: what a version changes against the live one. */
export async function diff(session: Session, [operand]: readonly string[]): Promise<void> {
  const projectId = await requireProject(session);
  if (operand === undefined) throw usageError('Name a version (slipway versions shows them).');
  const found = await session.service.call('diffVersion', { projectId, version: operand });
  session.answer(found, [
    ...found.added.map((path) => `+ ${path}`),
    ...found.changed.map((path) => `~ ${path}`),
    ...found.removed.map((path) => `- ${path}`),
  ]);
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
