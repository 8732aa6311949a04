import { formerAddress } from '../../../core/projects/addresses/address-availability.ts';
import {
  type ProjectChange,
  takesNewAddress,
} from '../../../core/projects/change/project-change.ts';
import type { FormerAddress, Project, Version } from '../../../core/projects/project.ts';
import { ifAddressUnchanged, releaseAddressPart } from './address-table.ts';
import { peopleRow } from './people-row.ts';
import { versionKey } from './project-keys.ts';
import {
  dropRow,
  intentKey,
  intentRow,
  projectRow,
  purgeRow,
  reservedRow,
  siteRow,
  versionRow,
} from './project-rows.ts';

/** The tables that hold projects and the addresses they are served at. */
export interface ProjectTables {
  projects: string;
  sites: string;
}

/**
 * All parts of a project's change, except for its owner's totals, by name.
 * @param holder the current row of an address that the change takes
 */
export function changeParts(tables: ProjectTables, change: ProjectChange, holder?: FormerAddress) {
  const { before, after, version, pruned, aside, dropAt, begins, purgeAt, people } = change;
  const { projects } = tables;
  const put = (Item: Record<string, unknown>) => ({ Put: { TableName: projects, Item } });
  return [
    ...addressParts(tables.sites, change, holder),
    ['project', projectPart(projects, before, after)] as const,
    ...(version === undefined ? [] : [['version', newVersion(projects, after, version)] as const]),
    ...(people === undefined ? [] : [['people', put(peopleRow(after.id, people))] as const]),
    ...(begins === undefined ? [] : [['begins', put(intentRow(begins))] as const]),
    ...intentParts(projects, change),
    ...pruned.flatMap((old) => [
      ['pruned', removeVersion(projects, after, old)] as const,
      ['dropped', put(dropRow(after.id, old, dropAt))] as const,
    ]),
    ...(aside === undefined
      ? []
      : [['aside', put(dropRow(after.id, aside.version, aside.until))] as const]),
    // A later purge replaces an earlier one.
    ...(purgeAt === undefined ? [] : [['purge', put(purgeRow(after.id, purgeAt))] as const]),
  ];
}

function addressParts(TableName: string, change: ProjectChange, holder: FormerAddress | undefined) {
  const { before, after, site, at, heldUntil } = change;
  const Item = site === undefined ? reservedRow(after) : siteRow(site);
  if (!takesNewAddress(change)) {
    return [['own-site', { Put: { TableName, Item, ...ifOwnAddress(after) } }] as const];
  }
  const newAddress = ['site', { Put: { TableName, Item, ...ifAddressUnchanged(holder) } }] as const;
  if (before === undefined || before.removingAt !== null) return [newAddress];
  const left = { host: before.host, left: formerAddress(before, { at, heldUntil }) };
  return [
    newAddress,
    ['own-site', releaseAddressPart(TableName, left, ifOwnAddress(after))] as const,
  ];
}

function ifOwnAddress({ id }: Project) {
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
  if (before.removingAt !== null) return { Put: { TableName, Item, ...ifStillRestorable(before) } };
  return { Put: { TableName, Item, ...ifUnchanged(before) } };
}

/** The condition that the project is unchanged since it was read and is not being removed. */
export function ifUnchanged({ revision }: Pick<Project, 'revision'>) {
  return {
    ConditionExpression:
      'attribute_exists(pk) AND revision = :revision AND attribute_not_exists(removingAt)',
    ExpressionAttributeValues: { ':revision': revision },
  };
}

/**
 * The condition that the removal is the one that was read, so that the sweep has not started to
 * delete files, and that nobody has taken the project down since then.
 */
function ifStillRestorable({ removingAt, revision }: Pick<Project, 'removingAt' | 'revision'>) {
  return {
    ConditionExpression: 'removingAt = :removingAt AND revision = :revision',
    ExpressionAttributeValues: { ':removingAt': removingAt, ':revision': revision },
  };
}

function newVersion(TableName: string, { id }: Project, version: Version) {
  const Item = versionRow(id, version);
  return { Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' } };
}

function removeVersion(TableName: string, { id }: Project, { version }: Version) {
  return { Delete: { TableName, Key: versionKey(id, version) } };
}

/** An intent that the sweep has seized cannot become a version. */
function intentParts(TableName: string, { after, endsIntent }: ProjectChange) {
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
