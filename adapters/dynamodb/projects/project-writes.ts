import type { Instant } from '../../../contract/fields.ts';
import { formerAddress } from '../../../core/projects/addresses/address-availability.ts';
import type { ClaimWrite } from '../../../core/projects/owned-projects.ts';
import type { Project, Publication } from '../../../core/projects/project.ts';
import type { Removal } from '../../../core/projects/removal/removal.ts';
import { isNew, nullsRemoved, put, update } from '../writes.ts';
import { ifAddressUnchanged, issueSlugParts, releaseAddressPart } from './address-table.ts';
import { endIntent, ifUnchanged, type ProjectTables } from './change-parts.ts';
import { metaKey } from './project-keys.ts';
import {
  claimKey,
  claimRow,
  dueAttributes,
  ownerState,
  projectRow,
  purgeRow,
  siteRow,
  usedClaimTtl,
  versionRow,
} from './project-rows.ts';

/** The tables that publishing without an account writes to. */
export interface PublishingTables extends ProjectTables {
  /** The table of used temporary slugs. */
  counters: string;
}

/** Creates address, project, version and claim, marks the slug as used, and deletes the intent. */
export function publishParts(
  { projects, sites, counters }: PublishingTables,
  { project, version, site }: Publication,
) {
  const { id, claimHash } = project;
  const claim = claimHash === undefined ? [] : [put(projects, claimRow(project, claimHash), isNew)];
  return [
    ['site', put(sites, siteRow(site), ifAddressUnchanged(undefined))] as const,
    ...issueSlugParts(counters, project),
    endIntent(projects, { projectId: id, store: version.store }),
    ['project', put(projects, projectRow(project), isNew)] as const,
    ['version', put(projects, versionRow(id, version), isNew)] as const,
    ...claim.map((part) => ['claim', part] as const),
  ];
}

/** Gives a temporary project its owner, makes its site permanent, and marks its claim as used. */
export function claimParts(tables: ProjectTables, claiming: ClaimWrite) {
  const { project, claimHash, at } = claiming;
  return [
    ['project', takeOver(tables.projects, project, at)] as const,
    ['site', keepSite(tables.sites, project)] as const,
    ['claim', useClaim(tables.projects, project, { claimHash, at })] as const,
  ];
}

/**
 * Requires the state that was read, because an operator may have blocked the project since then.
 */
function takeOver(TableName: string, project: Project, at: Instant) {
  const { when, values } = ifUnchanged({ revision: project.revision - 1 });
  return put(TableName, projectRow(project), {
    when: `attribute_not_exists(ownerId) AND ${when} AND expiresAt > :at`,
    values: { ...values, at },
  });
}

function keepSite(TableName: string, project: Project) {
  const { id, host, ownerId, noIndex, expiresAt, edgeFrom, restingUntil } = project;
  const kept = { temporary: false, ownerId, noIndex, expiresAt, edgeFrom, restingUntil };
  const { set, remove = [] } = nullsRemoved(kept);
  return update(
    TableName,
    { host },
    {
      set,
      remove: [...remove, 'ttl'],
      when: 'projectId = :projectId',
      values: { projectId: id },
    },
  );
}

function useClaim(
  TableName: string,
  { ownerId }: Project,
  { claimHash, at }: { claimHash: string; at: Instant },
) {
  return update(TableName, claimKey(claimHash), {
    set: { claimedAt: at, claimedBy: ownerId, ttl: usedClaimTtl(at) },
    when: 'attribute_exists(pk) AND attribute_not_exists(claimedAt)',
  });
}

/** Releases the address, hides the project from everybody, and leaves the rest to the sweep. */
export function removalParts(tables: ProjectTables, removal: Removal) {
  const { project, purgeAt } = removal;
  // A later purge replaces an earlier one.
  const purge = purgeAt === undefined ? [] : [put(tables.projects, purgeRow(project.id, purgeAt))];
  return [
    ['project', markRemoved(tables.projects, removal)] as const,
    ['site', siteRemoval(tables.sites, removal)] as const,
    ...purge.map((part) => ['purge', part] as const),
  ];
}

function siteRemoval(TableName: string, removal: Removal) {
  const { project } = removal;
  const left = { host: project.host, left: formerAddress(project, removal) };
  return releaseAddressPart(TableName, left, {
    when: 'attribute_not_exists(projectId) OR projectId = :projectId',
    values: { projectId: project.id },
  });
}

/**
 * Requires the state that was read, because the owner's totals must decrease by exactly what the
 * project counted.
 */
function markRemoved(TableName: string, removal: Removal) {
  const { project, at: removingAt, dueAt, onlyIfDue, failure, purgeAt } = removal;
  const { when, values } = ifUnchanged(project);
  const listing = deletedListing(removal);
  return update(TableName, metaKey(project.id), {
    set: { removingAt, ...dueAttributes(project.id, dueAt), failure, ...listing },
    remove: [
      ...(listing === undefined ? ['ownerState', 'listedAt'] : []),
      // The purge uses up the project's place at the edge.
      ...(purgeAt === undefined ? [] : ['edgeFrom']),
    ],
    when: onlyIfDue ? `${when} AND dueAt <= :removingAt` : when,
    values,
  });
}

/**
 * Where a project that its owner deleted is listed, so that operators find it while it is kept. Other
 * removed projects are in no list.
 */
function deletedListing({ project: { id, ownerId }, at, dueAt, failure }: Removal) {
  if (ownerId === null || failure !== undefined || dueAt <= at) return undefined;
  return { ownerState: ownerState(ownerId, 'deleted'), listedAt: `${at}#${id}` };
}
