import type { Instant } from '../../../contract/fields.ts';
import { formerAddress } from '../../../core/projects/addresses/address-availability.ts';
import type { ClaimWrite } from '../../../core/projects/owned-projects.ts';
import type { Project, Publication } from '../../../core/projects/project.ts';
import type { Removal } from '../../../core/projects/removal/removal.ts';
import { ifAddressUnchanged, issueSlugParts, releaseAddressPart } from './address-table.ts';
import { ifUnchanged, type ProjectTables } from './change-parts.ts';
import { metaKey } from './project-keys.ts';
import {
  claimKey,
  claimRow,
  dueAttributes,
  intentKey,
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
export function publishParts(tables: PublishingTables, { project, version, site }: Publication) {
  const { id, claimHash } = project;
  const put = (Item: Record<string, unknown>) => ({
    Put: { TableName: tables.projects, Item, ConditionExpression: 'attribute_not_exists(pk)' },
  });
  const claim = claimHash === undefined ? [] : [put(claimRow(project, claimHash))];
  const address = {
    TableName: tables.sites,
    Item: siteRow(site),
    ...ifAddressUnchanged(undefined),
  };
  return [
    ['site', { Put: address }] as const,
    ...issueSlugParts(tables.counters, project),
    [
      'intent',
      {
        Delete: {
          TableName: tables.projects,
          Key: intentKey({ projectId: id, store: version.store }),
          ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(seizedAt)',
        },
      },
    ] as const,
    ['project', put(projectRow(project))] as const,
    ['version', put(versionRow(id, version))] as const,
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
  const unchanged = ifUnchanged({ revision: project.revision - 1 });
  return {
    Put: {
      TableName,
      Item: projectRow(project),
      ConditionExpression: `attribute_not_exists(ownerId) AND ${unchanged.ConditionExpression} AND expiresAt > :at`,
      ExpressionAttributeValues: { ...unchanged.ExpressionAttributeValues, ':at': at },
    },
  };
}

function keepSite(TableName: string, { id, host, noIndex, expiresAt, edgeFrom }: Project) {
  const [set, removed, values] =
    expiresAt === null
      ? ['', ', #expiresAt', {}]
      : [', #expiresAt = :expiresAt', '', { ':expiresAt': expiresAt }];
  const place = edgeFrom === undefined ? '' : ', edgeFrom = :edgeFrom';
  return {
    Update: {
      TableName,
      Key: { host },
      UpdateExpression: `SET #temporary = :temporary, #noIndex = :noIndex${set}${place} REMOVE #ttl${removed}`,
      ConditionExpression: 'projectId = :projectId',
      ExpressionAttributeNames: {
        '#temporary': 'temporary',
        '#noIndex': 'noIndex',
        '#expiresAt': 'expiresAt',
        '#ttl': 'ttl',
      },
      ExpressionAttributeValues: {
        ':temporary': false,
        ':noIndex': noIndex,
        ...(edgeFrom !== undefined && { ':edgeFrom': edgeFrom }),
        ':projectId': id,
        ...values,
      },
    },
  };
}

function useClaim(
  TableName: string,
  { ownerId }: Project,
  { claimHash, at }: { claimHash: string; at: Instant },
) {
  return {
    Update: {
      TableName,
      Key: claimKey(claimHash),
      UpdateExpression: 'SET claimedAt = :at, claimedBy = :ownerId, #ttl = :ttl',
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(claimedAt)',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':at': at, ':ownerId': ownerId, ':ttl': usedClaimTtl(at) },
    },
  };
}

/** Releases the address, hides the project from everybody, and leaves the rest to the sweep. */
export function removalParts(tables: ProjectTables, removal: Removal) {
  const { project, purgeAt } = removal;
  const purge = purgeAt === undefined ? [] : [purgePart(tables.projects, project, purgeAt)];
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
    ConditionExpression: 'attribute_not_exists(projectId) OR projectId = :projectId',
    ExpressionAttributeValues: { ':projectId': project.id },
  });
}

/** A later purge replaces an earlier one. */
function purgePart(TableName: string, { id }: Project, purgeAt: Instant) {
  return { Put: { TableName, Item: purgeRow(id, purgeAt) } };
}

/**
 * Requires the state that was read, because the owner's totals must decrease by exactly what the
 * project counted.
 */
function markRemoved(TableName: string, removal: Removal) {
  const { project, at, dueAt, onlyIfDue, failure, purgeAt } = removal;
  const { ConditionExpression, ExpressionAttributeValues } = ifUnchanged(project);
  const due = dueAttributes(project.id, dueAt);
  const why = failure === undefined ? '' : ', failure = :failure';
  const { set, gone, values } = listingUpdate({ project, at, dueAt, failure });
  // The purge uses up the project's place at the edge.
  const removed = [...gone, ...(purgeAt === undefined ? [] : ['edgeFrom'])].join(', ');
  return {
    Update: {
      TableName,
      Key: metaKey(project.id),
      UpdateExpression: `SET removingAt = :removingAt, dueAt = :dueAt, dueShard = :dueShard${why}${set}${removed && ` REMOVE ${removed}`}`,
      ConditionExpression: onlyIfDue
        ? `${ConditionExpression} AND dueAt <= :removingAt`
        : ConditionExpression,
      ExpressionAttributeValues: {
        ...ExpressionAttributeValues,
        ':removingAt': at,
        ':dueAt': due.dueAt,
        ':dueShard': due.dueShard,
        ...(failure === undefined ? {} : { ':failure': failure }),
        ...values,
      },
    },
  };
}

/**
 * Lists a project that its owner deleted, so that operators find it while it is kept. Other removed
 * projects are in no list.
 */
function listingUpdate({
  project,
  at,
  dueAt,
  failure,
}: Pick<Removal, 'project' | 'at' | 'dueAt' | 'failure'>) {
  const { id, ownerId } = project;
  if (ownerId === null || failure !== undefined || dueAt <= at) {
    return { set: '', gone: ['ownerState', 'listedAt'], values: {} };
  }
  return {
    set: ', ownerState = :ownerState, listedAt = :listedAt',
    gone: [],
    values: { ':ownerState': ownerState(ownerId, 'deleted'), ':listedAt': `${at}#${id}` },
  };
}
