import type { Instant } from '../contract/fields.ts';
import type { Claiming } from '../core/projects/owned-projects.ts';
import type { Project, Publication } from '../core/projects/project.ts';
import type { Removal } from '../core/projects/removal.ts';
import {
  claimKey,
  claimRow,
  due,
  intentKey,
  metaKey,
  projectRow,
  purgeRow,
  siteRow,
  usedClaimTtl,
  versionRow,
} from './project-rows.ts';

/** The tables that hold projects and the addresses they are served at. */
export interface ProjectTables {
  projects: string;
  sites: string;
}

/** Address, project, version and claim appear and the intent goes. */
export function publishParts(tables: ProjectTables, { project, version, site }: Publication) {
  const put = (TableName: string, Item: Record<string, unknown>, key = 'pk') => ({
    Put: { TableName, Item, ConditionExpression: `attribute_not_exists(${key})` },
  });
  const { id, claimHash } = project;
  const claim = claimHash === undefined ? [] : [put(tables.projects, claimRow(project, claimHash))];
  return [
    ['site', put(tables.sites, siteRow(site), 'host')] as const,
    [
      'intent',
      {
        Delete: {
          TableName: tables.projects,
          Key: intentKey({ projectId: id, version: version.version }),
          ConditionExpression: 'attribute_exists(pk)',
        },
      },
    ] as const,
    ['project', put(tables.projects, projectRow(project))] as const,
    ['version', put(tables.projects, versionRow(id, version))] as const,
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

/** Nobody but a claim or a removal changes an ownerless project, so that the row may be put whole. */
function takeOver(TableName: string, project: Project, at: Instant) {
  return {
    Put: {
      TableName,
      Item: projectRow(project),
      ConditionExpression:
        'attribute_not_exists(ownerId) AND attribute_not_exists(removingAt) AND expiresAt > :at',
      ExpressionAttributeValues: { ':at': at },
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

/** The address is free, the project is nobody's to see, and the sweep finds what is left of it. */
export function removalParts(tables: ProjectTables, removal: Removal) {
  const { project, purgeAt } = removal;
  const purge = purgeAt === undefined ? [] : [purgePart(tables.projects, project, purgeAt)];
  return [
    ['project', markRemoved(tables.projects, removal)] as const,
    [
      'site',
      {
        Delete: {
          TableName: tables.sites,
          Key: { host: project.host },
          ConditionExpression: 'attribute_not_exists(projectId) OR projectId = :projectId',
          ExpressionAttributeValues: { ':projectId': project.id },
        },
      },
    ] as const,
    ...purge.map((part) => ['purge', part] as const),
  ];
}

/** A later purge takes the place of an earlier one. */
function purgePart(TableName: string, { id }: Project, purgeAt: Instant) {
  return { Put: { TableName, Item: purgeRow(id, purgeAt) } };
}

/** Only the project as it was read: what its owner gets back must be what it counted for. */
function markRemoved(TableName: string, { project, at, onlyIfDue }: Removal) {
  const { id, ownerId, archivedAt, host, bytes } = project;
  const { dueAt, dueShard } = due(id, at);
  const conditions = [
    '#host = :host AND #bytes = :bytes AND attribute_not_exists(removingAt)',
    ownerId === null ? 'attribute_not_exists(ownerId)' : 'ownerId = :ownerId',
    archivedAt === null ? 'attribute_not_exists(archivedAt)' : 'attribute_exists(archivedAt)',
    ...(onlyIfDue ? ['dueAt <= :at'] : []),
  ];
  return {
    Update: {
      TableName,
      Key: metaKey(id),
      UpdateExpression:
        'SET removingAt = :at, dueAt = :dueAt, dueShard = :dueShard REMOVE ownerState, listedAt',
      ConditionExpression: conditions.join(' AND '),
      ExpressionAttributeNames: { '#host': 'host', '#bytes': 'bytes' },
      ExpressionAttributeValues: {
        ':at': at,
        ':dueAt': dueAt,
        ':dueShard': dueShard,
        ':host': host,
        ':bytes': bytes,
        ...(ownerId === null ? {} : { ':ownerId': ownerId }),
      },
    },
  };
}
