import type { ProjectExport, VersionExport } from '../../contract/account-export.ts';
import type { ProjectSettings } from '../../contract/project-settings.ts';
import { objectName } from '../../core/transfer/exported-files.ts';
import { ApiError } from '../../web/app/api/api-error.ts';
import { CommandError, exitCodes } from '../command-error.ts';
import type { ExportFolder } from '../export/export-folder.ts';
import type { LocalFile } from '../local-file.ts';
import { type Content, sendFiles } from '../send-files.ts';
import type { Session } from '../session.ts';
import type { Input } from '../../web/app/api/contract.ts';
import { sendOptions, untilStored } from '../uploading.ts';

interface Importing {
  folder: ExportFolder;
  /** Ids by the ids that the workspaces had. */
  workspaces: ReadonlyMap<string, string>;
  /** Whether the plan keeps earlier versions; otherwise the live one is all. */
  keepsVersions: boolean;
}

interface MadeProject {
  projectId: string;
  url: string;
}

/**
 * Publishes a project of an export: its versions in their order, then its settings, and only then may others see
 * it: earlier versions and drafts were not for them, nor is what its owner took back. A failure leaves nothing behind.
 * @throws ApiError, CommandError
 */
export async function importProject(
  session: Session,
  project: ProjectExport,
  importing: Importing,
): Promise<MadeProject> {
  const { takedown, expiresAt, liveVersion, versions } = project;
  if (takedown !== null) throw leftOut('It is taken down.');
  if (expiresAt !== null && Date.parse(expiresAt) < Date.now()) throw leftOut('It has ended.');
  const kept = importing.keepsVersions
    ? versions
    : versions.filter(({ version }) => version === liveVersion);
  const [first, ...later] = kept.toSorted((a, b) => a.version - b.version);
  if (first === undefined) throw leftOut('It has no version.');
  const opensLast = mayOpenLast(project, later.length > 0);
  const made = await createWith(session, project, { first, opensLast, importing });
  const { projectId } = made;
  try {
    for (const version of later) {
      const { upload, files } = await sendVersion(session, version, importing);
      const draft = version.version > liveVersion;
      const choices = choicesFor(version);
      const input = { projectId, ...upload, draft, ...choices };
      const answer = await session.service.call('replaceProjectFiles', input, files);
      await untilStored(session, answer.uploadId);
    }
    await restoreSettings(session, project, { projectId, importing });
    if (project.archivedAt !== null) await session.service.call('archiveProject', { projectId });
    if (opensLast) await change(session, project, { projectId, access: 'public' });
    return made;
  } catch (error) {
    await session.service.call('deleteProject', { projectId }).catch(() => {});
    throw error;
  }
}

/** Whether others may see a public project only once all of it is there. */
function mayOpenLast({ access, status, archivedAt }: ProjectExport, hasMore: boolean): boolean {
  return access === 'public' && (status === 'private' || archivedAt !== null || hasMore);
}

function leftOut(reason: string): CommandError {
  return new CommandError(exitCodes.refused, reason);
}

/** The settings that a project is given again (`contract/project-settings.ts`). */
export const restoredSettings = [
  'noIndex',
  'disableDownloads',
  'pageTitle',
  'metaDescription',
  'analyticsEnabled',
  'spa',
  'prettyUrls',
] as const satisfies readonly (keyof ProjectSettings)[];

/** All that was published is published again, as it was. */
function choicesFor({ home, type }: VersionExport) {
  const isChosen = home !== null && /\.html?$/i.test(home);
  return {
    includeHidden: true,
    allowSecrets: true,
    ...(isChosen && { zipIndexHtmlPath: home }),
    ...(home === null && type === 'files' && { asFileBundle: true }),
  };
}

/** Creates the project with its first version, and with another name where its own is taken. */
async function createWith(
  session: Session,
  { title, slug, access, expiresAt, spa }: ProjectExport,
  {
    first,
    opensLast,
    importing,
  }: { first: VersionExport; opensLast: boolean; importing: Importing },
): Promise<MadeProject> {
  if (access !== 'public' && access !== 'private') {
    session.say(`${title}: only you can see it. Say who else can: slipway set access=…`);
  }
  const create = async (more: { slug?: ProjectExport['slug'] }) => {
    const { upload, files } = await sendVersion(session, first, importing);
    const input = {
      title,
      ...upload,
      ...choicesFor(first),
      access: access === 'public' && !opensLast ? 'public' : 'private',
      spa,
      ...(expiresAt !== null && { expiresAt }),
      ...more,
    } as const;
    return session.service.call('createProject', input, files);
  };
  const made = await create({ slug }).catch(async (error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'SLUG_TAKEN') throw error;
    session.say(`${title}: the name ${slug} is taken here, so it gets another one.`);
    return create({});
  });
  await untilStored(session, made.uploadId);
  return { projectId: made.projectId, url: made.url };
}

/** Sends the files of a version from the folder. @throws CommandError where one is damaged */
async function sendVersion(
  session: Session,
  { files }: VersionExport,
  { folder }: Importing,
): Promise<Content> {
  const sent: LocalFile[] = [];
  for (const file of files) {
    if (!(await folder.holds(file))) throw leftOut(`A file is damaged: ${objectName(file)}.`);
    sent.push({ path: file.path, source: folder.pathOf(file), size: file.size, changedMs: 0 });
  }
  return sendFiles(sent, sendOptions(session));
}

/** Changes what a new project has otherwise. */
async function restoreSettings(
  session: Session,
  exported: ProjectExport,
  { projectId, importing }: { projectId: string; importing: Importing },
): Promise<void> {
  const { status, notify, workspaceId } = exported;
  const now = await session.service.call('getProject', { projectId });
  const workspace = importing.workspaces.get(workspaceId ?? '');
  const changed = restoredSettings.filter((name) => now[name] !== exported[name]);
  const changes: Omit<Input<'updateProjectSettings'>, 'projectId'> = {
    ...Object.fromEntries(changed.map((name) => [name, exported[name]])),
    ...(status === 'private' && { status }),
    ...(notify !== now.notify && { notify }),
    ...(workspace !== undefined && { workspaceId: workspace }),
  };
  if (Object.keys(changes).length > 0) await change(session, exported, { ...changes, projectId });
}

/** On a plan without settings a change is left out, which is said. */
async function change(
  { service, say }: Session,
  { title }: ProjectExport,
  changes: Input<'updateProjectSettings'>,
): Promise<void> {
  try {
    await service.call('updateProjectSettings', changes);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'FREE_TIER_RESTRICTED') throw error;
    const what = 'access' in changes ? 'only you can see it' : 'its settings are not restored';
    say(`${title}: ${what}, because the plan has no settings.`);
  }
}
