import type { Instant } from '../../../contract/fields.ts';
import { leftAddress } from '../../../core/projects/addresses/address.ts';
import type { Claiming } from '../../../core/projects/owned-projects.ts';
import type { Project, Publication } from '../../../core/projects/project.ts';
import type { Removal } from '../../../core/projects/removal/removal.ts';
import { ifStillLeft, issueSlugParts, leaveAddress } from './address-table.ts';
import { ifUnchanged, type ProjectTables } from './change-parts.ts';
import {
  claimKey,
  claimRow,
  due,
  intentKey,
  metaKey,
  ownerState,
  projectRow,
  purgeRow,
  siteRow,
  usedClaimTtl,
  versionRow,
} from './project-rows.ts';

/** The tables that publishing without an account writes to. */
export interface PublishingTables extends ProjectTables {
  /** Which temporary slugs were given out. */
  counters: string;
}

/** Address, project, version and claim appear, its slug is used for good, and the intent goes. */
export function publishParts(tables: PublishingTables, { project, version, site }: Publication) {
  const { id, claimHash } = project;
  const put = (Item: Record<string, unknown>) => ({
    Put: { TableName: tables.projects, Item, ConditionExpression: 'attribute_not_exists(pk)' },
  });
  const claim = claimHash === undefined ? [] : [put(claimRow(project, claimHash))];
  const address = { TableName: tables.sites, Item: siteRow(site), ...ifStillLeft(undefined) };
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

/** An ownerless project gets its owner, its site is temporary no more, and its claim is used up. */
export function claimParts(tables: ProjectTables, claiming: Claiming) {
  const { project, claimHash, at, purgeAt } = claiming;
  return [
    ['project', takeOver(tables.projects, project, at)] as const,
    ['site', keepSite(tables.sites, project)] as const,
    ['claim', useClaim(tables.projects, project, { claimHash, at })] as const,
    ['purge', purgePart(tables.projects, project, purgeAt)] as const,
  ];
}

/** Over the state that was read: an operator may have taken the project down since then. */
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

function keepSite(TableName: string, { id, host, noIndex, expiresAt }: Project) {
  const [set, removed, values] =
    expiresAt === null
      ? ['', ', #expiresAt', {}]
      : [', #expiresAt = :expiresAt', '', { ':expiresAt': expiresAt }];
  return {
    Update: {
      TableName,
      Key: { host },
      UpdateExpression: `SET #temporary = :temporary, #noIndex = :noIndex${set} REMOVE #ttl${removed}`,
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

/** The address is left, the project is nobody's to see, and the sweep finds what is left of it. */
export function removalParts(tables: ProjectTables, removal: Removal) {
  const { project, purgeAt } = removal;
  const purge = purgeAt === undefined ? [] : [purgePart(tables.projects, project, purgeAt)];
  return [
    ['project', markRemoved(tables.projects, removal)] as const,
    ['site', siteRemoval(tables.sites, removal)] as const,
    ...purge.map((part) => ['purge', part] as const),
  ];
}

function siteRemoval(TableName: string, { project, at, heldUntil }: Removal) {
  const left = { host: project.host, left: leftAddress(project, { at, heldUntil }) };
  return leaveAddress(TableName, left, {
    ConditionExpression: 'attribute_not_exists(projectId) OR projectId = :projectId',
    ExpressionAttributeValues: { ':projectId': project.id },
  });
}

/** A later purge takes the place of an earlier one. */
function purgePart(TableName: string, { id }: Project, purgeAt: Instant) {
  return { Put: { TableName, Item: purgeRow(id, purgeAt) } };
}

/** Only the project as it was read: what its owner gets back must be what it counted for. */
function markRemoved(TableName: string, { project, at, dueAt, onlyIfDue, failure }: Removal) {
  const { ConditionExpression, ExpressionAttributeValues } = ifUnchanged(project);
  const place = due(project.id, dueAt);
  const why = failure === undefined ? '' : ', failure = :failure';
  const { listed, values } = listing({ project, at, dueAt, failure });
  return {
    Update: {
      TableName,
      Key: metaKey(project.id),
      UpdateExpression: `SET removingAt = :removingAt, dueAt = :dueAt, dueShard = :dueShard${why}${listed}`,
      ConditionExpression: onlyIfDue
        ? `${ConditionExpression} AND dueAt <= :removingAt`
        : ConditionExpression,
      ExpressionAttributeValues: {
        ...ExpressionAttributeValues,
        ':removingAt': at,
        ':dueAt': place.dueAt,
        ':dueShard': place.dueShard,
        ...(failure === undefined ? {} : { ':failure': failure }),
        ...values,
      },
    },
  };
}

/** Where operators find what its owner deleted, while it is kept; nobody finds the rest. */
function listing({
  project,
  at,
  dueAt,
  failure,
}: Pick<Removal, 'project' | 'at' | 'dueAt' | 'failure'>) {
  const { id, ownerId } = project;
  if (ownerId === null || failure !== undefined || dueAt <= at) {
    return { listed: ' REMOVE ownerState, listedAt', values: {} };
  }
  return {
    listed: ', ownerState = :ownerState, listedAt = :listedAt',
    values: { ':ownerState': ownerState(ownerId, 'deleted'), ':listedAt': `${at}#${id}` },
  };
}
