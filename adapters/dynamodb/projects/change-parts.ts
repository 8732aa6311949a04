import { leftAddress } from '../../../core/projects/addresses/address.ts';
import { type Change, takesAddress } from '../../../core/projects/settings/change.ts';
import type { LeftAddress, Project, Version } from '../../../core/projects/project.ts';
import { ifStillLeft, leaveAddress } from './address-table.ts';
import {
  dropRow,
  intentKey,
  intentRow,
  projectRow,
  purgeRow,
  reservedRow,
  siteRow,
  versionKey,
  versionRow,
} from './project-rows.ts';

/** The tables that hold projects and the addresses they are served at. */
export interface ProjectTables {
  projects: string;
  sites: string;
}

/**
 * Everything of a project's change but its owner's sums, by what it is.
 * @param holder what an address that it takes says at present
 */
export function changeParts(tables: ProjectTables, change: Change, holder?: LeftAddress) {
  const { before, after, version, pruned, dropAt, begins, purgeAt } = change;
  const { projects } = tables;
  const put = (Item: Record<string, unknown>) => ({ Put: { TableName: projects, Item } });
  return [
    ...addressParts(tables.sites, change, holder),
    ['project', projectPart(projects, before, after)] as const,
    ...(version === undefined ? [] : [['version', newVersion(projects, after, version)] as const]),
    ...(begins === undefined ? [] : [['begins', put(intentRow(begins))] as const]),
    ...intentParts(projects, change),
    ...pruned.flatMap((old) => [
      ['pruned', removeVersion(projects, after, old)] as const,
      ['dropped', put(dropRow(after.id, old, dropAt))] as const,
    ]),
    // A later purge takes the place of an earlier one.
    ...(purgeAt === undefined ? [] : [['purge', put(purgeRow(after.id, purgeAt))] as const]),
  ];
}

function addressParts(TableName: string, change: Change, holder: LeftAddress | undefined) {
  const { before, after, site, at, heldUntil } = change;
  const Item = site === undefined ? reservedRow(after) : siteRow(site);
  if (!takesAddress(change)) {
    return [['own-site', { Put: { TableName, Item, ...ifOwn(after) } }] as const];
  }
  const taken = ['site', { Put: { TableName, Item, ...ifStillLeft(holder) } }] as const;
  if (before === undefined || before.removingAt !== null) return [taken];
  const left = { host: before.host, left: leftAddress(before, { at, heldUntil }) };
  return [taken, ['own-site', leaveAddress(TableName, left, ifOwn(after))] as const];
}

function ifOwn({ id }: Project) {
  return {
    ConditionExpression: 'projectId = :projectId',
    ExpressionAttributeValues: { ':projectId': id },
  };
}

function projectPart(TableName: string, before: Project | undefined, after: Project) {
  const Item = projectRow(after);
  if (before === undefined) {
    return { Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' } };
  }
  if (before.removingAt !== null) return { Put: { TableName, Item, ...ifStillKept(before) } };
  return { Put: { TableName, Item, ...ifUnchanged(before) } };
}

/** Only over the state that a change was made from, and never over a removal. */
export function ifUnchanged({ revision }: Pick<Project, 'revision'>) {
  // Rows that never changed may be older than revisions.
  const same =
    revision === 0
      ? '(attribute_not_exists(revision) OR revision = :revision)'
      : 'revision = :revision';
  return {
    ConditionExpression: `attribute_exists(pk) AND ${same} AND attribute_not_exists(removingAt)`,
    ExpressionAttributeValues: { ':revision': revision },
  };
}

/** Only over the removal that was read: by then nobody has begun to take its files. */
function ifStillKept({ removingAt }: Pick<Project, 'removingAt'>) {
  return {
    ConditionExpression: 'removingAt = :removingAt',
    ExpressionAttributeValues: { ':removingAt': removingAt },
  };
}

function newVersion(TableName: string, { id }: Project, version: Version) {
  const Item = versionRow(id, version);
  return { Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' } };
}

function removeVersion(TableName: string, { id }: Project, { version }: Version) {
  return { Delete: { TableName, Key: versionKey(id, version) } };
}

/** An intent that the sweep has seized cannot become a version any more. */
function intentParts(TableName: string, { after, endsIntent }: Change) {
  if (endsIntent === undefined) return [];
  const part = {
    Delete: {
      TableName,
      Key: intentKey({ projectId: after.id, store: endsIntent }),
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(seizedAt)',
    },
  };
  return [['intent', part] as const];
}
