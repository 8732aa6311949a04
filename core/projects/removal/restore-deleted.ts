import { DomainId, ProjectId, type Slug } from '../../../contract/fields.ts';
import type { AccountCaller } from '../../caller.ts';
import { CodedError } from '../../errors.ts';
import { plusSeconds } from '../../instants.ts';
import { countPublication } from '../../limits/count-publication.ts';
import type { RequestLimitDeps } from '../../limits/counters.ts';
import type { Addresses } from '../addresses/addresses.ts';
import type { DomainStore } from '../../domains/ports.ts';
import { isReserved, slugTaken } from '../addresses/check-slug.ts';
import { titleSlugs } from '../addresses/slugs.ts';
import { confirmWrite } from '../confirm-write.ts';
import { toProjectResource } from '../project-view.ts';
import type { Project } from '../project.ts';
import { effectiveLimits } from '../quota.ts';
import { type ChangeProjectDeps, purgeEdge } from '../change/change-project.ts';
import {
  buildChange,
  type ChangeOutcome,
  type NextProjectState,
  requireChanged,
} from '../change/project-change.ts';
import {
  type DeletedProject,
  type DeletedProjectStore,
  restoredFields,
  restoreMarginSeconds,
} from './restore-project.ts';

/** Dependencies of {@link listDeletedProjects}. */
export interface DeletedProjectsDeps {
  deleted: DeletedProjectStore;
  addresses: Pick<Addresses, 'siteUrl'>;
  now(): Date;
}

/** Dependencies of {@link restoreProject}. */
export interface RestoreDeletedDeps
  extends DeletedProjectsDeps,
    ChangeProjectDeps,
    RequestLimitDeps {
  addresses: Pick<Addresses, 'siteUrl' | 'hostOf'>;
  domains: Pick<DomainStore, 'get'>;
  brand: string;
}

/** A page of the caller's deleted projects that can be restored. */
export async function listDeletedProjects(
  deps: DeletedProjectsDeps,
  { account }: AccountCaller,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  const now = deps.now();
  const found = await deps.deleted.listByAccount(account.id, { limit, after: cursor });
  const projects = found.deleted.filter((one) => isRestorable(one, now));
  return {
    nextCursor: found.next ?? null,
    projects: projects.map(({ project, keptUntil }) => ({
      ...toProjectResource(project, deps.addresses, now),
      deletedAt: project.removingAt ?? project.updatedAt,
      restorableUntil: keptUntil,
      bytes: project.bytes,
    })),
  };
}

/** A try fails when another request restores or removes the same project, or when an address is taken. */
const tries = 12;

/**
 * Restores the caller's deleted project as it was, if the plan has room for it. If its workspace no
 * longer exists, it is restored without one; if its custom domain no longer exists, it gets an
 * address of this service. It counts as a publication, because webhooks may be told that the plan is nearly used up.
 * @throws CodedError NOT_FOUND, SLUG_TAKEN, PROJECT_LIMIT_REACHED, STORAGE_LIMIT_REACHED, RATE_LIMITED
 */
export async function restoreProject(
  deps: RestoreDeletedDeps,
  caller: AccountCaller,
  input: { projectId: string; slug?: Slug | undefined },
) {
  await countPublication(deps, caller);
  const substitute = substitutes(deps, input.slug);
  let replaced: NextProjectState['fields'] = {};
  for (let count = 1; count <= tries; count += 1) {
    const now = deps.now();
    const { project } = await requireDeleted(deps, caller, input.projectId, now);
    checkNewSlug(deps, project, input.slug);
    const live = await deps.projects.getVersion(project.id, project.version);
    if (live === undefined) throw new Error(`project ${project.id} lacks its live version`);
    const limits = effectiveLimits(deps.plans, caller.account, now);
    const fields = {
      ...restoredFields(project, input.slug, now),
      ...replaced,
    };
    const change = buildChange(project, { fields, live, limits }, now);
    const outcome = await deps.owned
      .change(change)
      .catch(confirmWrite(deps.projects, change, 'changed' as const));
    const other = await substitute(project, outcome);
    if (other !== undefined) replaced = { ...replaced, ...other };
    else if (outcome !== 'lost') {
      requireChanged(change, outcome);
      await purgeEdge(deps, { before: undefined, after: change.after });
      const restored = toProjectResource(change.after, deps.addresses, now);
      return 'domainId' in replaced ? { ...restored, warnings: [domainGone] } : restored;
    }
  }
  throw notRestorable();
}

const domainGone = {
  field: 'domainId' as const,
  message: 'The custom domain of this project is removed. It has an address of this service now.',
};

/**
 * Replaces what no longer exists: a deleted workspace by none, a removed domain by an address of
 * this service. If the slug is in use and the caller named no other, it gets a random suffix.
 */
function substitutes(
  deps: Pick<RestoreDeletedDeps, 'addresses' | 'domains' | 'brand'>,
  slug?: Slug,
) {
  let slugs: Iterator<Slug> | undefined;
  return async (project: Project, outcome: ChangeOutcome) => {
    if (outcome === 'workspace-gone') return { workspaceId: null };
    const isInUse = outcome === 'slug-taken' || outcome === 'slug-reserved';
    if (outcome === 'domain-gone' && (await hasNoDomain(deps, project)))
      slugs = titleSlugs(slug ?? project.slug, (one) => !isReserved(one, deps.brand));
    else if (!isInUse || slug !== undefined) return undefined;
    return slugs === undefined ? undefined : nextAddress(deps, slugs, project);
  };
}

async function hasNoDomain(
  { domains }: { domains: Pick<DomainStore, 'get'> },
  { domainId }: Project,
): Promise<boolean> {
  const domain = domainId === null ? undefined : await domains.get(DomainId.parse(domainId));
  return domain === undefined || domain.removingAt !== null;
}

function nextAddress(
  { addresses }: { addresses: Pick<Addresses, 'hostOf'> },
  slugs: Iterator<Slug>,
  project: Project,
) {
  const { value: slug, done } = slugs.next();
  if (done === true) throw slugTaken(project.slug);
  return { domainId: null, slug, host: addresses.hostOf(slug) };
}

function checkNewSlug({ brand }: { brand: string }, project: Project, slug = project.slug): void {
  const isOurs = project.domainId === null;
  if (slug !== project.slug && isReserved(slug, isOurs ? brand : undefined)) throw slugTaken(slug);
}

async function requireDeleted(
  { deleted }: Pick<DeletedProjectsDeps, 'deleted'>,
  { account }: AccountCaller,
  id: string,
  now: Date,
): Promise<DeletedProject> {
  const projectId = ProjectId.safeParse(id).data;
  const found = projectId === undefined ? undefined : await deleted.get(projectId);
  if (found?.project.ownerId === account.id && isRestorable(found, now)) return found;
  throw notRestorable();
}

function isRestorable({ keptUntil }: DeletedProject, now: Date): boolean {
  return Date.parse(keptUntil) > plusSeconds(now, restoreMarginSeconds).getTime();
}

function notRestorable(): CodedError {
  return new CodedError('NOT_FOUND', {
    error: 'You have no deleted project with this id that can be restored.',
    nextStep: 'GET /v1/projects/deleted lists the projects that can be restored.',
  });
}
