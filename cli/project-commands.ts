import type { Input, Output } from '../web/app/api/contract.ts';
import { formatBytes, formatRelative } from '../web/app/texts/format.ts';
import { CommandError, exitCodes, usageError } from './command-error.ts';
import { linkProject, unlinkProject } from './linked-project.ts';
import { instantOf, listOf } from './publish-settings.ts';
import { numberOf } from './published.ts';
import { requireKey, requireProject, type Session } from './session.ts';
import { columns, openInBrowser } from './terminal.ts';

/** `list`: all projects of the account, newest first. */
export async function list(session: Session): Promise<void> {
  requireKey(session);
  const all: Output<'listProjects'>['projects'] = [];
  let cursor: string | undefined;
  do {
    const page = await session.service.call('listProjects', {
      limit: 100,
      archived: 'all',
      ...(cursor !== undefined && { cursor }),
    });
    all.push(...page.projects);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  if (all.length === 0)
    session.say('There are no projects yet. Publish one: slipway publish FOLDER');
  session.answer(
    { projects: all },
    columns(
      all.map(({ url, title, status, access, updatedAt, id }) => [
        url,
        title,
        status === 'public' ? access : status,
        formatRelative(updatedAt),
        id,
      ]),
    ),
  );
}

/** `info`: what a project is, and who can see it. */
export async function info(session: Session, [operand]: readonly string[]): Promise<void> {
  const projectId = await requireProject(session, operand);
  const project = await session.service.call('getProject', { projectId });
  session.answer(
    project,
    columns([
      ['Address', project.url],
      ['Title', project.title],
      ['Status', project.status],
      ['Who can see it', project.access],
      [
        'Version',
        `${project.version}, ${numberOf(project.fileCount)}, ${formatBytes(project.bytes)}`,
      ],
      ['Ends', project.expiresAt ?? 'never'],
      ['Id', project.id],
    ]),
  );
}

/** `open`: shows a project in the browser. */
export async function open(session: Session, [operand]: readonly string[]): Promise<void> {
  const projectId = await requireProject(session, operand);
  const { url } = await session.service.call('getProject', { projectId });
  session.answer({ url }, [url]);
  await openInBrowser(session.context, url);
}

/** `opens`: how often people opened a project. */
export async function opens(session: Session, [operand]: readonly string[]): Promise<void> {
  const projectId = await requireProject(session, operand);
  const figures = await session.service.call('getProjectOpens', { projectId });
  const { total, last24h, last7d } = figures.opens;
  session.answer(figures, [
    `${total} opens, ${last7d} in the last seven days, ${last24h} in the last 24 hours`,
    ...(figures.lastOpenedAt === null
      ? []
      : [`Last opened ${formatRelative(figures.lastOpenedAt)}`]),
  ]);
}

/** `set`: changes settings, as `name=value`. `null`, `true`, `false` and numbers are read as such. */
export async function set(session: Session, operands: readonly string[]): Promise<void> {
  const projectId = await requireProject(session);
  if (operands.length === 0)
    throw usageError('Name what to change, for example: slipway set noIndex=true');
  const changes = Object.fromEntries(operands.map(changeOf));
  const input = { ...changes, projectId } satisfies Input<'updateProjectSettings'>;
  const answer = await session.service.call('updateProjectSettings', input);
  for (const { message } of answer.warnings ?? []) session.say(`Note: ${message}`);
  session.answer(answer, ['Changed. It applies from the next visit on.']);
}

/** `NAME=VALUE` as a name and a value; lists of people have commas, and an end is written as for `--expires`. */
export function changeOf(operand: string): [string, unknown] {
  const [name = '', ...rest] = operand.split('=');
  if (rest.length === 0) throw usageError(`${operand} has no value.`, `Write ${operand}=VALUE.`);
  const value = rest.join('=');
  if (name === 'people' || name === 'deniedPeople') return [name, listOf(value)];
  if (name === 'expiresAt' && value !== 'null') return [name, instantOf(name, value, new Date())];
  return [name, /^(?:null|true|false)$/.test(value) ? JSON.parse(value) : value];
}

/** `rm`: deletes projects, which can be restored for thirty days. */
export async function rm(session: Session, operands: readonly string[]): Promise<void> {
  const named = operands.length > 0 ? operands : [undefined];
  const deleted: string[] = [];
  for (const operand of named) {
    let projectId = operand ?? '';
    try {
      projectId = await requireProject(session, operand);
      await session.service.call('deleteProject', { projectId });
    } catch (error) {
      if (deleted.length === 0) throw error;
      const reason = error instanceof Error ? error.message : '';
      throw new CommandError(exitCodes.partly, `${projectId} was not deleted. ${reason}`, {
        next: `Deleted before it: ${deleted.join(', ')}`,
      });
    }
    deleted.push(projectId);
    if (session.linked?.projectId === projectId) await unlinkProject(session.context.cwd);
  }
  session.answer(
    { deleted },
    deleted.map((projectId) => `Deleted. To take it back: slipway restore ${projectId}`),
  );
}

/** `restore`: takes back a deleted project. */
export async function restore(session: Session, [operand]: readonly string[]): Promise<void> {
  const projectId = await requireProject(session, operand);
  const project = await session.service.call('restoreProject', { projectId });
  for (const { message } of project.warnings ?? []) session.say(`Note: ${message}`);
  session.answer(project, [project.url]);
}

/** `qr`: the address as a QR code, as SVG. */
export async function qr(session: Session, [operand]: readonly string[]): Promise<void> {
  const projectId = await requireProject(session, operand);
  session.answer({ url: `${session.service.url}/qr/${projectId}.svg` }, [
    await session.service.text(`/qr/${projectId}.svg`),
  ]);
}

/** `link`: this folder's files are a project that exists. */
export async function link(
  session: Session,
  [operand, ...paths]: readonly string[],
): Promise<void> {
  if (operand === undefined) throw usageError('Name a project (slipway list shows them).');
  const projectId = await requireProject(session, operand);
  const { id, url } = await session.service.call('getProject', { projectId });
  await linkProject(session.context.cwd, {
    service: session.service.url,
    projectId: id,
    url,
    paths,
  });
  session.answer({ projectId: id, url }, [`slipway publish now updates ${url}`]);
}

/** `unlink`: forgets the project of this folder; the project stays. */
export async function unlink(session: Session): Promise<void> {
  await unlinkProject(session.context.cwd);
  session.answer({}, ['This folder is linked to no project.']);
}
