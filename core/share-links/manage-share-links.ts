import type * as z from 'zod';
import type * as contract from '../../contract/operations/share-links.ts';
import type { ProjectId, SettingWarning } from '../../contract/fields.ts';
import type { Plans } from '../accounts/account.ts';
import type { CountedOpens, LinkOpens } from '../analytics/ports.ts';
import type { AccountCaller } from '../caller.ts';
import { chosenEnd } from '../chosen-end.ts';
import { CodedError, invalidField } from '../errors.ts';
import { instant } from '../instants.ts';
import { countAttempt, type Counters } from '../limits/counters.ts';
import type { ProjectStore } from '../ports.ts';
import { requireViewable } from '../projects/addresses/create-owner-link.ts';
import type { Addresses } from '../projects/addresses/addresses.ts';
import { projectNotFound, requireOwnedProject } from '../projects/owned-projects.ts';
import type { Project } from '../projects/project.ts';
import { effectiveLimits } from '../projects/quota.ts';
import { hashPassword, passwordWarnings } from '../projects/settings/passwords.ts';
import {
  linkState,
  maxLinksOfProject,
  newShareToken,
  type ShareLink,
  ShareLinkId,
  type ShareLinkStore,
} from './share-link.ts';

/** The dependencies for managing share links. */
export interface ShareLinkDeps {
  projects: Pick<ProjectStore, 'get' | 'getVersion'>;
  shareLinks: ShareLinkStore;
  linkOpens: LinkOpens;
  addresses: Pick<Addresses, 'siteUrl'>;
  counters: Pick<Counters, 'count'>;
  plans: Plans;
  now(): Date;
}

/** New links of an account: as many as one project may have. */
const createLimit = { limit: maxLinksOfProject, windowSeconds: 3600 };

/** The fields of a link that its owner chooses; what is absent keeps its value or has its default. */
type LinkChoices = Omit<z.output<typeof contract.updateShareLink.input>, 'projectId' | 'linkId'>;

/**
 * Creates a link. Its address is in the response and nowhere else: only the hash of the token is stored.
 * @throws CodedError NOT_FOUND, UPLOAD_INCOMPLETE, INVALID_REQUEST, LINK_LIMIT_REACHED, RATE_LIMITED
 */
export async function createShareLink(
  deps: ShareLinkDeps,
  caller: AccountCaller,
  { projectId, name, ...choices }: LinkChoices & { projectId: string; name: string },
) {
  const now = deps.now();
  const project = await requireOwnedProject(deps.projects, caller, projectId);
  requireViewable(project, now);
  const { token, ...identity } = newShareToken();
  const link: ShareLink = {
    ...newLinkDefaults,
    ...identity,
    projectId: project.id,
    createdAt: instant(now),
    ...(await chosenFields(deps, project, { name, ...choices }, 'INVALID_REQUEST')),
    name,
  };
  const key = `share-links#${caller.account.id}`;
  const counted = { key, rule: createLimit, what: 'new share links' };
  await countAttempt(deps.counters, caller, counted, now);
  const { maxLinks } = effectiveLimits(deps.plans, caller.account, now);
  const most = maxLinks === -1 ? maxLinksOfProject : Math.min(maxLinks, maxLinksOfProject);
  const created = await deps.shareLinks.create(link, most);
  if (created === 'gone') throw projectNotFound();
  if (!created) throw tooManyLinks(most);
  return {
    ...describe(link, undefined, now),
    url: `${deps.addresses.siteUrl(project.host)}/_slipway/share/${token}`,
    ...warningsOf(choices),
  };
}

const newLinkDefaults = {
  recipients: [],
  expiresAt: null,
  maxOpens: null,
  usedOpens: 0,
  presses: {},
  passwordHash: null,
  downloads: true,
  version: null,
  notify: null,
  firstOpenMailedAt: null,
};

/**
 * A project's links with their opens, newest first.
 * @throws CodedError NOT_FOUND
 */
export async function listShareLinks(
  deps: ShareLinkDeps,
  caller: AccountCaller,
  input: { projectId: string },
) {
  const { id } = await requireOwnedProject(deps.projects, caller, input.projectId);
  const links = await deps.shareLinks.list(id);
  const opens =
    links.length === 0 ? new Map<string, CountedOpens>() : await deps.linkOpens.ofLinks(id);
  const now = deps.now();
  return { links: links.map((link) => describe(link, opens.get(link.id), now)) };
}

/**
 * Changes a link from the next request on.
 * @throws CodedError NOT_FOUND, VALIDATION_FAILED
 */
export async function updateShareLink(
  deps: ShareLinkDeps,
  caller: AccountCaller,
  { projectId, linkId, ...choices }: LinkChoices & { projectId: string; linkId: string },
) {
  const project = await requireOwnedProject(deps.projects, caller, projectId);
  const { data: id } = ShareLinkId.safeParse(linkId);
  if (id === undefined) throw linkNotFound();
  const changes = await chosenFields(deps, project, choices, 'VALIDATION_FAILED');
  if (!(await deps.shareLinks.update(project.id, id, changes))) throw linkNotFound();
  return { updated: true as const, ...warningsOf(choices) };
}

/**
 * Deletes a link; the next request with its token or a cookie of it is refused.
 * @throws CodedError NOT_FOUND
 */
export async function deleteShareLink(
  deps: ShareLinkDeps,
  caller: AccountCaller,
  { projectId, linkId }: { projectId: string; linkId: string },
) {
  const project = await requireOwnedProject(deps.projects, caller, projectId);
  const { data: id } = ShareLinkId.safeParse(linkId);
  if (id === undefined) throw linkNotFound();
  const removed = await deps.shareLinks.remove(project.id, id);
  // After the link, so that an open that is being counted finds none, and also when that was interrupted before.
  await deps.linkOpens.removeLink(project.id, id);
  if (!removed) throw linkNotFound();
  return { deleted: true as const };
}

type BadFields = 'INVALID_REQUEST' | 'VALIDATION_FAILED';

/** The stored form of what was sent. */
async function chosenFields(
  deps: Pick<ShareLinkDeps, 'projects' | 'now'>,
  project: Project,
  { expiresAt, password, version, notify, ...others }: LinkChoices,
  code: BadFields,
): Promise<Partial<ShareLink>> {
  if (typeof version === 'number') await requireKept(deps, project, version, code);
  const end = typeof expiresAt === 'string' ? chosenEnd(expiresAt, deps.now(), code) : expiresAt;
  const passwordHash = typeof password === 'string' ? await hashPassword(password) : password;
  // A new choice begins anew: the next open is its first.
  const mails = notify && { notify: notify === 'off' ? null : notify, firstOpenMailedAt: null };
  const fields = { ...others, ...mails, expiresAt: end, passwordHash, version };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

async function requireKept(
  { projects }: Pick<ShareLinkDeps, 'projects'>,
  { id, version: live }: Project,
  version: number,
  code: BadFields,
): Promise<void> {
  if (version === live || (await projects.getVersion(id, version)) !== undefined) return;
  throw invalidField(
    'version',
    'must be a version that GET /v1/projects/{projectId}/status lists',
    { code },
  );
}

function describe(
  { id, name, recipients, createdAt, expiresAt, passwordHash, ...link }: ShareLink,
  counted: CountedOpens | undefined,
  now: Date,
) {
  const { maxOpens, usedOpens, downloads, version, notify } = link;
  return {
    id,
    name,
    recipients,
    state: linkState({ expiresAt, maxOpens, usedOpens }, now),
    createdAt,
    expiresAt,
    maxOpens,
    usedOpens,
    hasPassword: passwordHash !== null,
    notify: notify ?? ('off' as const),
    downloads,
    version,
    ...(counted ?? { opens: 0, firstOpenedAt: null, lastOpenedAt: null }),
  };
}

function warningsOf({ password }: LinkChoices): { warnings?: SettingWarning[] } {
  const warnings = typeof password === 'string' ? passwordWarnings(password) : [];
  return warnings.length === 0 ? {} : { warnings };
}

/** @throws CodedError NOT_FOUND for a link that the project does not have */
export async function requireShareLink(
  { shareLinks }: { shareLinks: Pick<ShareLinkStore, 'find'> },
  projectId: ProjectId,
  linkId: string,
): Promise<void> {
  const { data: id } = ShareLinkId.safeParse(linkId);
  if (id === undefined || (await shareLinks.find(projectId, id)) === undefined)
    throw linkNotFound();
}

function linkNotFound(): CodedError {
  return new CodedError('NOT_FOUND', { error: 'This project has no share link with this id.' });
}

function tooManyLinks(most: number): CodedError {
  return new CodedError('LINK_LIMIT_REACHED', {
    error: `Your plan allows ${most} share links for a project, and this project has as many. Expired links count until they are deleted.`,
  });
}
