import type { Instant } from '../../../contract/fields.ts';
import {
  type AccountGuard,
  type AccountState,
  accountSuspended,
} from '../../accounts/suspension.ts';
import type { StoreId } from '../../content/content-keys.ts';
import { domainNotReady } from '../../domains/assign-domain.ts';
import { hasExpired, instant, plusSeconds } from '../../instants.ts';
import type { PeopleList } from '../../people/people-list.ts';
import type { Intent } from '../../ports.ts';
import type { ServingRecord } from '../../visit/serving-record.ts';
import { reservedUntil } from '../addresses/address-availability.ts';
import { slugReserved, slugTaken } from '../addresses/check-slug.ts';
import { atEdge, wantsFirstPlace } from '../edge-copies.ts';
import { runningPreviews } from '../previews/named-preview.ts';
import type { AddressHistory, Project, Version } from '../project.ts';
import {
  type QuotaCharge,
  calculateCharge,
  quotaError,
  type QuotaRefusal,
  type TotalLimits,
} from '../quota.ts';
import { buildServingRecord } from '../build-serving-record.ts';
import { ReferenceNotFound } from './reference-not-found.ts';

/** How long the files of a pruned version stay for downloads that have begun. */
const droppedSeconds = 2 * 3600;

/** A project's next state, and everything that is written with it in one transaction. */
export interface ProjectChange {
  /** The state that the change was made from; `undefined` for a new project. */
  before: Project | undefined;
  after: Project;
  /** The new serving record; `undefined` while no version is published. */
  site: ServingRecord | undefined;
  version?: Version;
  /** A version outside the history, for a preview; its files are removed at `until`. */
  aside?: { version: Version; until: Instant };
  /** The store of the upload that the new version was made from; its intent ends. */
  endsIntent?: StoreId;
  /** The list of people that `peopleStamp` of the new state names, where it is a new one. */
  people?: PeopleList;
  /** The intent of an upload that a worker will store. */
  begins?: Intent;
  /** Versions that are removed from the history. */
  pruned: readonly Version[];
  charge: QuotaCharge | undefined;
  /** The state that its owner's account must have; undefined where any state is allowed. */
  guard: AccountGuard | undefined;
  at: Instant;
  /** Whether visitors see a difference. */
  isVisible: boolean;
  /** When the edge is purged a second time; `undefined` if it caches nothing of the earlier state. */
  purgeAt: Instant | undefined;
  /** Whether the new state needs a place under the limit of the edge's cache; see `edge-copies.ts`. */
  wantsEdgePlace: boolean;
  /** When the files of pruned versions can be removed. */
  dropAt: Instant;
  /** Until when an address that the project gives up stays reserved. */
  heldUntil: Instant;
}

/**
 * The result of writing a change. `lost`: the project has a newer revision. `account-state`: the
 * account is not in the state that the guard expects. A `QuotaRefusal`: the plan has no room.
 */
export type ChangeOutcome =
  | 'changed'
  | 'lost'
  | 'slug-taken'
  | 'slug-reserved'
  | 'intent-gone'
  | 'workspace-gone'
  | 'domain-gone'
  | 'account-state'
  | QuotaRefusal;

/** Whether a change takes an address that the project does not have now. */
export function takesNewAddress({
  before,
  after,
}: Pick<ProjectChange, 'before' | 'after'>): boolean {
  return before?.removingAt !== null || before.host !== after.host;
}

/** The change with the history of its new address. Pure. */
export function withAddressHistory(
  change: ProjectChange,
  addressHistory: AddressHistory,
): ProjectChange {
  const { site } = change;
  const handedOverAt = addressHistory?.handedOverAt ?? null;
  return {
    ...change,
    after: { ...change.after, addressHistory },
    site: site && { ...site, handedOverAt },
  };
}

/** The next state of a project, as the difference to its current one. */
export interface NextProjectState {
  fields: Partial<Omit<Project, 'id' | 'ownerId' | 'revision' | 'createdAt'>>;
  /** The live version after the change; `undefined` while there is none. */
  live: Version | undefined;
  limits: TotalLimits;
  /** A new version. It becomes the live one, unless a newer version is live already. */
  adds?: Version;
  pruned?: readonly Version[];
  /** The version of a preview. */
  aside?: ProjectChange['aside'];
  /** A new list of people; `fields` have its stamp. */
  people?: PeopleList | undefined;
  begins?: Intent;
  /** The state that the owner's account must have: `active` for changes by owners, `any` for some of operators. */
  expects?: AccountState | 'any';
  /** The time of the change, where its fields name it; otherwise that of the write. */
  at?: Date;
}

/** The change of a project to its next state. Pure. */
export function buildChange(before: Project, next: NextProjectState, now: Date): ProjectChange {
  const { fields, live, limits, adds, pruned = [], aside, begins, expects, people } = next;
  const { retained, ...others } = { ...before, ...fields };
  const changed: Project = {
    ...others,
    ...(retained !== undefined && retainsAssets(before, fields, now) && { retained }),
    // Previews that ended have no files, so they use no storage.
    ...(others.previews !== undefined && { previews: runningPreviews(others, now) }),
    revision: before.revision + 1,
    ...accessRevision(before, fields, now),
    updatedAt: fields.updatedAt ?? instant(now),
  };
  const isVisible = changesSite(before, changed, live);
  const { after, ...edge } = isVisible ? atEdge(before, changed, now) : { after: changed };
  return {
    ...baseChange(before, after, now),
    isVisible,
    ...edge,
    site: live === undefined ? undefined : buildServingRecord(after, live),
    charge: calculateCharge(before, after, limits),
    guard: accountGuard(after, expects),
    ...(adds !== undefined && { version: adds, endsIntent: adds.store }),
    ...(aside !== undefined && { aside, endsIntent: aside.version.store }),
    ...(people !== undefined && { people }),
    ...(begins !== undefined && { begins }),
    pruned,
  };
}

/** The creation of a project, with its first version or with the intent of its first upload. Pure. */
export function buildCreation(
  after: Project,
  {
    limits,
    people,
    ...first
  }: { limits: TotalLimits; people?: PeopleList | undefined } & (
    | { version: Version }
    | { begins: Intent }
  ),
  now: Date,
): ProjectChange {
  return {
    ...baseChange(undefined, after, now),
    wantsEdgePlace: wantsFirstPlace(after),
    pruned: [],
    charge: calculateCharge(undefined, after, limits),
    guard: accountGuard(after),
    ...(people !== undefined && { people }),
    ...('version' in first
      ? {
          site: buildServingRecord(after, first.version),
          version: first.version,
          endsIntent: first.version.store,
        }
      : { site: undefined, begins: first.begins }),
  };
}

/**
 * Returns if a change was written; otherwise throws its error.
 * @throws CodedError SLUG_TAKEN, NOT_FOUND, PROJECT_LIMIT_REACHED, STORAGE_LIMIT_REACHED, ACCOUNT_SUSPENDED
 */
export function requireChanged(
  { after, charge }: ProjectChange,
  outcome: Exclude<ChangeOutcome, 'lost'>,
): void {
  if (outcome === 'changed') return;
  if (outcome === 'slug-taken') throw slugTaken(after.slug);
  if (outcome === 'slug-reserved') throw slugReserved(after.slug);
  if (outcome === 'account-state') throw accountSuspended();
  if (outcome === 'workspace-gone') throw new ReferenceNotFound('workspaceId');
  if (outcome === 'domain-gone') throw domainNotReady();
  if (outcome === 'intent-gone') throw storedTooLate();
  const refusal = charge === undefined ? undefined : quotaError(charge, outcome.refused);
  throw refusal ?? new Error('the write was refused, but the quota has room');
}

/** The sweep has removed the intent, and with it the stored bytes. */
export function storedTooLate(): Error {
  return new Error('the upload was still being stored when its intent expired');
}

/**
 * The fields that change with a new access or password, which ends owner links, owner cookies and
 * browsers' copies of the site. A new list of people ends only those copies.
 */
function accessRevision(before: Project, fields: NextProjectState['fields'], now: Date) {
  const { access, passwordHash, peopleStamp, ownerRevision } = { ...before, ...fields };
  if (access === before.access && passwordHash === before.passwordHash) {
    const hasNewPeople = peopleStamp !== before.peopleStamp;
    return { ownerRevision, ...(hasNewPeople && { accessChangedAt: instant(now) }) };
  }
  return { ownerRevision: ownerRevision + 1, accessChangedAt: instant(now) };
}

/**
 * Whether assets of earlier versions stay reachable after a change. They end with every change of who
 * may visit, and for good with a takedown, a suspension, an archive, a deletion or an expiry.
 */
function retainsAssets(before: Project, fields: NextProjectState['fields'], now: Date): boolean {
  const after = { ...before, ...fields };
  const doors = ({ status, access, passwordHash, peopleStamp }: Project) =>
    [status, access, passwordHash, peopleStamp].join();
  const isOpen = ({ takedown, suspendedAt, archivedAt, removingAt }: Project) =>
    [takedown, suspendedAt, archivedAt, removingAt].every((since) => since === null);
  return (
    doors(before) === doors(after) && isOpen(before) && isOpen(after) && !hasExpired(before, now)
  );
}

function accountGuard(
  { ownerId: accountId }: Project,
  expects: AccountState | 'any' = 'active',
): AccountGuard | undefined {
  return accountId === null || expects === 'any' ? undefined : { accountId, expects };
}

/**
 * Whether visitors can see a difference between the two states. A rest does not count: the edge
 * revalidates pages at every view, and cached assets may be seen for some minutes more.
 */
function changesSite(before: Project, after: Project, live: Version | undefined): boolean {
  if (live === undefined) return false;
  const text = (project: Project) =>
    JSON.stringify({
      ...buildServingRecord(project, live),
      manifest: undefined,
      ownerRevision: undefined,
      restingUntil: undefined,
    });
  return before.version !== after.version || text(before) !== text(after);
}

function baseChange(before: Project | undefined, after: Project, now: Date) {
  return {
    before,
    after,
    at: instant(now),
    isVisible: true,
    purgeAt: undefined,
    wantsEdgePlace: false,
    dropAt: instant(plusSeconds(now, droppedSeconds)),
    heldUntil: reservedUntil(now),
  };
}
