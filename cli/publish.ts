import path from 'node:path';
import { type CodeChanges, codeSettings, projectFile } from './code-settings.ts';
import { usageError } from './command-error.ts';
import { lastPaths, linkProject, readProjectFile } from './linked-project.ts';
import { collectFiles, type LocalFiles } from './local-files.ts';
import type { Options } from './options.ts';
import { publishPreview } from './previews.ts';
import { publishProject } from './publish-project.ts';
import { chosenSettings } from './publish-settings.ts';
import { type Published, showFiles, tell } from './published.ts';
import { requireKey, requireProject, type Session } from './session.ts';
import { openInBrowser } from './terminal.ts';
import { publishWatched } from './watch/publish-watched.ts';
import type { OnFolder } from './watch/watch-folders.ts';

/**
 * Publishes files: the folder's project gets a new version, which is live at once; without one there is a new
 * project, and without a key a temporary one.
 * @throws ApiError, CommandError
 */
export async function publish(
  session: Session,
  operands: readonly string[],
  options: Options,
): Promise<void> {
  const { context } = session;
  const paths = operands.length > 0 ? operands : await lastPaths(context.cwd);
  if (options.watch === true) return watchPaths(session, paths, options);
  const { files, code } = await readFiles(session, paths, options);
  if (options['dry-run'] === true) return showFiles(session, files);
  const projectId = options.new === true ? undefined : await projectToUpdate(session, paths);
  const name = options.preview;
  if (name !== undefined) {
    const preview = { projectId: requireOne(projectId), files, options, name };
    return openIfWanted(context, options, await publishPreview(session, preview));
  }
  const settings = await chosenSettings(session, options);
  const result = await publishProject(session, { files, projectId, options, settings, code });
  await link(session, result, paths);
  tell(session, result);
  await openIfWanted(context, options, result);
}

async function openIfWanted(
  context: Session['context'],
  { open }: Options,
  { url, previewUrl }: Published,
): Promise<void> {
  if (open === true) await openInBrowser(context, previewUrl ?? url);
}

/** Links this folder to the project; a temporary one is nobody's. */
async function link(
  { context, service, named }: Session,
  { projectId, url }: Published,
  paths: readonly string[],
): Promise<void> {
  if (projectId === null || named !== undefined || !service.hasKey) return;
  await linkProject(context.cwd, { service: service.url, projectId, url, paths });
}

/** The files, and the settings of the project that belong to them. */
async function readFiles(
  { context }: Session,
  paths: readonly string[],
  options: Options,
  onFolder?: OnFolder,
): Promise<{ files: LocalFiles; code: CodeChanges }> {
  const { files: wanted, project } = codeSettings(await readProjectFile(context.cwd));
  const files = await collectFiles(paths, wanted, {
    cwd: context.cwd,
    includeHidden: options['include-hidden'] === true,
    ...(onFolder !== undefined && { onFolder }),
  });
  return { files, code: project };
}

async function watchPaths(
  session: Session,
  paths: readonly string[],
  options: Options,
): Promise<void> {
  const other = (['new', 'dry-run'] as const).find((one) => options[one] === true);
  if (other !== undefined) throw usageError(`--watch and --${other} exclude each other.`);
  requireKey(session);
  const projectId = requireOne(await projectToUpdate(session, paths));
  await publishWatched(session, {
    projectId,
    options,
    async collect(onFolder) {
      onFolder(
        path.join(session.context.cwd, path.dirname(projectFile)),
        path.basename(projectFile),
      );
      return (await readFiles(session, paths, options, onFolder)).files;
    },
  });
}

/** @throws CommandError where there is no project */
function requireOne(projectId: string | undefined): string {
  if (projectId !== undefined) return projectId;
  throw usageError('A preview needs a project.', 'Publish it first: slipway publish');
}

/** @throws CommandError where this folder's project was published from other paths */
async function projectToUpdate(
  session: Session,
  paths: readonly string[],
): Promise<string | undefined> {
  const { linked, named, service } = session;
  if (named !== undefined) return requireProject(session);
  if (linked === undefined || !service.hasKey) return undefined;
  if (linked.paths.length === 0 || linked.paths.join('\n') === paths.join('\n')) {
    return linked.projectId;
  }
  throw usageError(
    `This folder is linked to ${linked.url}, which was published from ${linked.paths.join(' ')}.`,
    `Add --new for a project of its own, or --project ${linked.projectId} to replace its files.`,
  );
}
