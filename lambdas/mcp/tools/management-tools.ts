import type * as z from 'zod';
import { listProjectsTool } from '../../../contract/tools/list-projects-tool.ts';
import { getProjectOpens } from '../../../core/analytics/project-opens.ts';
import { requirePaid } from '../../../core/accounts/account.ts';
import type { AccountCaller } from '../../../core/caller.ts';
import { listEvents } from '../../../core/webhooks/list-events.ts';
import { listProjectPage } from '../../../core/projects/list-projects.ts';
import { getProject } from '../../../core/projects/project-view.ts';
import { eventServices, opensServices, qrCodeServices, services } from '../services.ts';
import * as projectSettings from '../../../core/projects/settings/update-project.ts';
import { CodedError } from '../../../core/errors.ts';
import * as qrCodes from '../../../core/projects/addresses/qr-code.ts';
import { rollBackProject } from '../../../core/projects/versions/roll-back.ts';
import { invalidInput } from '../../http/invalid-input.ts';
import { setting } from '../../shared/settings.ts';
import type { ProjectOpens } from '../../../contract/operations/analytics.ts';

/**
 * A result contains the page twice, as data and as text. This stays far below the 25,000 tokens
 * that clients accept.
 */
export const maxPageBytes = 25_000;

/** A page of the caller's projects, as many as fit into a result. */
export async function listProjectsPage(
  caller: AccountCaller,
  { cursor = '0', limit, ...query }: z.infer<typeof listProjectsTool.input>,
) {
  const offset = Number(cursor);
  const listQuery = { ...query, limit: limit + 1, offset };
  const { projects: found } = await listProjectPage(services(), caller, listQuery);
  const summaries = found
    .slice(0, limit)
    .map((project) => listProjectsTool.output.shape.projects.element.parse(project));
  const projects = takeFitting(summaries, maxPageBytes);
  const hasMore = projects.length < found.length;
  return { output: { projects, nextCursor: hasMore ? String(offset + projects.length) : null } };
}

/** The first items whose JSON fits into `maxBytes`; at least one. */
export function takeFitting<T>(items: readonly T[], maxBytes: number): T[] {
  let bytes = 0;
  const end = items.findIndex((item, index) => {
    bytes += Buffer.byteLength(JSON.stringify(item));
    return bytes > maxBytes && index > 0;
  });
  return end === -1 ? [...items] : items.slice(0, end);
}

/** Changes settings, and returns the changed project: its address may have changed. */
export async function updateProjectSettings(
  caller: AccountCaller,
  {
    liveVersion,
    ...input
  }: projectSettings.ProjectUpdate & { projectId: string; liveVersion?: number | undefined },
) {
  const changed =
    liveVersion === undefined
      ? await projectSettings.updateProjectSettings(services(), caller, input)
      : await switchVersion(caller, input, liveVersion);
  const project = await getProject(services(), caller, input);
  const output = { ...changed, project };
  const { url, status, access, expiresAt, version } = project;
  const end = expiresAt === null ? 'no expiry' : `expires ${expiresAt}`;
  const warningTexts = (changed.warnings ?? []).map(({ message }) => ` ${message}`).join('');
  return {
    output,
    text: `${url}\nVersion ${version}, status ${status}, access ${access}, ${end}.${warningTexts}`,
  };
}

/**
 * Switches the version. Not together with settings: these are two changes, and one could fail after
 * the other succeeded.
 */
async function switchVersion(
  caller: AccountCaller,
  { projectId, ...settings }: projectSettings.ProjectUpdate & { projectId: string },
  version: number,
): Promise<{ updated: boolean; warnings?: undefined }> {
  if (Object.values(settings).some((value) => value !== undefined)) {
    const message = 'must be sent without other settings; change those in another call';
    throw invalidInput('INVALID_REQUEST', [{ path: 'liveVersion', message }]);
  }
  await rollBackProject(services(), caller, { projectId, version });
  return { updated: true };
}

/** The analytics of a project. Values that visitors can choose freely are in a separate field. */
export async function getLinkOpens(caller: AccountCaller, input: { projectId: string }) {
  const { recentOpens, ...figures } = await getProjectOpens(opensServices(), caller, input);
  return {
    output: {
      ...figures,
      recentOpens: recentOpens.map(shownOpen),
    },
  };
}

/** An open with the values that visitors choose apart from the others. */
function shownOpen({ browser, os, referrer, ...open }: RecentOpen) {
  return { ...open, wordsOfVisitor: { browser, os, referrer } };
}

type RecentOpen = z.infer<typeof ProjectOpens>['recentOpens'][number];

/** The next opens of a project, or of a share link. */
export async function waitForOpen(
  caller: AccountCaller,
  input: { projectId: string; linkId?: string | undefined; after?: string | undefined },
) {
  const query = { ...input, type: 'project.opened', wait: 25 } as const;
  const { events, nextCursor } = await listEvents(eventServices(), caller, query);
  const opens = events.flatMap(({ data }) => data.recentOpens ?? []).map(shownOpen);
  const text =
    opens.length === 0
      ? `Nobody opened it yet. To go on waiting, call again with \`after: ${nextCursor}\`.`
      : undefined;
  return { output: { opens, nextCursor }, ...(text !== undefined && { text }) };
}

const pixels = 512;

/** The address of the caller's project as an image. */
export async function getQrCode(caller: AccountCaller, input: { projectId: string }) {
  const { id, url, status } = await getProject(services(), caller, input);
  if (status !== 'public') throw notLive(status);
  requirePaid(caller.account, services().now());
  const { content } = await qrCodes.getQrCode(qrCodeServices(), {
    file: `${id}.png`,
    size: pixels,
  });
  const at = `${setting('BASE_URL')}/qr/${id}`;
  const svgUrl = `${at}.svg`;
  return {
    output: { projectId: id, url, svgUrl, pngUrl: `${at}.png` },
    text: `${svgUrl}\nQR code of ${url}. The URL above is an SVG, the image in this result a PNG.`,
    more: [
      {
        type: 'image' as const,
        data: Buffer.from(content).toString('base64'),
        mimeType: 'image/png',
      },
    ],
  };
}

/**
 * The error for a project that is not live. It names the status, because the caller owns the
 * project.
 */
function notLive(status: string): CodedError {
  return new CodedError('NOT_FOUND', {
    error: `The project is ${status}. Visitors cannot open it, so it has no QR code.`,
    nextStep:
      'Check the status with get_project. To publish a private project, call update_project_settings with `status: public`.',
  });
}
