import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AccountExport, ProjectExport } from '../../contract/account-export.ts';
import { CommandError, exitCodes, usageError } from '../command-error.ts';
import { exportFolder } from '../export/export-folder.ts';
import { failureOf } from '../refusals.ts';
import { replaceJson } from '../replace-file.ts';
import { requireKey, type Session } from '../session.ts';
import { importProject } from './import-project.ts';

/**
 * `import`: publishes the projects of an export in the account that is signed in. What was imported is written down in
 * the folder, so that a second call continues an interrupted one.
 * @throws CommandError where a project was left out
 */
export async function importAccount(session: Session, [named]: readonly string[]): Promise<void> {
  const { context, service } = session;
  requireKey(session);
  if (named === undefined) throw usageError('Name a folder that slipway export wrote.');
  const root = path.resolve(context.cwd, named);
  const folder = exportFolder(root);
  const archive = await readExport(folder.readArchive(), named);
  const { email, plan } = await service.call('getSession', {});
  const done = await importedIn(root, `${email} ${service.url}`);
  const workspaces = await restoreWorkspaces(session, archive);
  const imported: { from: string; projectId: string; url: string }[] = [];
  const left: string[] = [];
  for (const project of archive.projects) {
    if (done.has(project.id)) continue;
    const how = { folder, workspaces, keepsVersions: plan !== 'free' };
    try {
      const made = await importProject(session, project, how);
      await done.add(project.id, made.projectId);
      imported.push({ from: project.id, ...made });
      session.say(`${project.title}: ${made.url}`);
    } catch (error) {
      left.push(describe(session, project, error));
    }
  }
  session.answer(
    { imported, leftOut: left },
    imported.map(({ url }) => url),
  );
  if (left.length === 0) return;
  throw new CommandError(exitCodes.partly, `${left.length} projects were not imported.`, {
    next: 'Correct the reasons above, then run the same command again: it imports what is missing.',
  });
}

/** Says why a project is left out. @throws CommandError where the others would fail for the same reason */
function describe(session: Session, { title }: ProjectExport, error: unknown): string {
  const failure = failureOf(error, session.context.signal);
  if (failure.exitCode !== exitCodes.refused) throw failure;
  session.say(`${title}: not imported. ${failure.message}`);
  return title;
}

async function readExport(text: Promise<string>, named: string): Promise<AccountExport> {
  try {
    const archive: AccountExport = JSON.parse(await text);
    if (archive.formatVersion === 1) return archive;
  } catch {
    // Said below.
  }
  throw usageError(`${named} holds no export.`, 'Name a folder that slipway export wrote.');
}

/** What was imported from a folder into one account: ids by the ids that the projects had. */
async function importedIn(root: string, account: string) {
  const file = path.join(root, 'imported.json');
  const all = await readImported(file);
  const own = (all[account] ??= {});
  return {
    has: (id: string) => Object.hasOwn(own, id),
    async add(id: string, projectId: string): Promise<void> {
      own[id] = projectId;
      await replaceJson(file, all);
    },
  };
}

async function readImported(file: string): Promise<Record<string, Record<string, string>>> {
  const text = await readFile(file, 'utf8').catch(() => '{}');
  try {
    return JSON.parse(text);
  } catch {
    throw usageError(`${file} is not JSON.`, 'Delete it to import all projects again.');
  }
}

/** Ids of workspaces by the ids that they had. One of the same name is used again. */
async function restoreWorkspaces(
  { service }: Session,
  { workspaces }: AccountExport,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  if (workspaces.length === 0) return ids;
  const { workspaces: own } = await service.call('listWorkspaces', {});
  for (const { id, name } of workspaces) {
    const found = own.find((one) => one.name === name);
    const { id: here } = found ?? (await service.call('createWorkspace', { name }));
    ids.set(id, here);
  }
  return ids;
}
