import { formerAddress } from '../../../core/projects/addresses/address-availability.ts';
import {
  type ProjectChange,
  takesNewAddress,
} from '../../../core/projects/change/project-change.ts';
import type { FormerAddress, Project } from '../../../core/projects/project.ts';
import { type Condition, isNew, put, remove } from '../writes.ts';
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
  const { endsIntent } = change;
  const { projects } = tables;
  return [
    ...addressParts(tables.sites, change, holder),
    ['project', projectPart(projects, before, after)] as const,
    ...(version === undefined
      ? []
      : [['version', put(projects, versionRow(after.id, version), isNew)] as const]),
    ...(people === undefined
      ? []
      : [['people', put(projects, peopleRow(after.id, people))] as const]),
    ...(begins === undefined ? [] : [['begins', put(projects, intentRow(begins))] as const]),
    ...(endsIntent === undefined
      ? []
      : [endIntent(projects, { projectId: after.id, store: endsIntent })]),
    ...pruned.flatMap((old) => [
      ['pruned', remove(projects, versionKey(after.id, old.version))] as const,
      ['dropped', put(projects, dropRow(after.id, old, dropAt))] as const,
    ]),
    ...(aside === undefined
      ? []
      : [['aside', put(projects, dropRow(after.id, aside.version, aside.until))] as const]),
    // A later purge replaces an earlier one.
    ...(purgeAt === undefined
      ? []
      : [['purge', put(projects, purgeRow(after.id, purgeAt))] as const]),
  ];
}

function addressParts(TableName: string, change: ProjectChange, holder: FormerAddress | undefined) {
  const { before, after, site, at, heldUntil } = change;
  const row = site === undefined ? reservedRow(after) : siteRow(site);
  if (!takesNewAddress(change)) {
    return [['own-site', put(TableName, row, ifOwnAddress(after))] as const];
  }
  const newAddress = ['site', put(TableName, row, ifAddressUnchanged(holder))] as const;
  if (before === undefined || before.removingAt !== null) return [newAddress];
  const left = { host: before.host, left: formerAddress(before, { at, heldUntil }) };
  return [
    newAddress,
    ['own-site', releaseAddressPart(TableName, left, ifOwnAddress(after))] as const,
  ];
}

function ifOwnAddress({ id: projectId }: Project): Condition {
  return { when: 'projectId = :projectId', values: { projectId } };
}

function projectPart(TableName: string, before: Project | undefined, after: Project) {
  const row = projectRow(after);
  if (before === undefined) return put(TableName, row, isNew);
  if (before.removingAt !== null) return put(TableName, row, ifStillRestorable(before));
  return put(TableName, row, ifUnchanged(before));
}

/** The condition that the project is unchanged since it was read and is not being removed. */
export function ifUnchanged({ revision }: Pick<Project, 'revision'>) {
  const when = 'attribute_exists(pk) AND revision = :revision AND attribute_not_exists(removingAt)';
  return { when, values: { revision } };
}

/**
 * The condition that the removal is the one that was read, so that the sweep has not started to
 * delete files, and that nobody has taken the project down since then.
 */
function ifStillRestorable({ removingAt, revision }: Pick<Project, 'removingAt' | 'revision'>) {
  const when = 'removingAt = :removingAt AND revision = :revision';
  return { when, values: { removingAt, revision } };
}

/** Deletes an intent. One that the sweep has seized cannot become a version. */
export function endIntent(TableName: string, intent: Parameters<typeof intentKey>[0]) {
  const when = 'attribute_exists(pk) AND attribute_not_exists(seizedAt)';
  return ['intent', remove(TableName, intentKey(intent), { when })] as const;
}
