import type { Instant } from '../../../contract/fields.ts';
import type { AccountGuard, AccountState } from '../../accounts/suspension.ts';
import type { StoreId } from '../../content/content-keys.ts';
import { instant, plusSeconds } from '../../instants.ts';
import type { Intent } from '../../ports.ts';
import type { ServingRecord } from '../../visit/serving-record.ts';
import { reservedUntil } from '../addresses/address.ts';
import type { AddressHistory, Project, Version } from '../project.ts';
import { purgeDueAt } from '../removal/purge.ts';
import { type Charge, chargeOf, type Refusal, type SumLimits } from '../quota.ts';
import { servingRecord } from '../serving.ts';

/** Whoever began to read a file reads on: a large one over a slow line, or one that comes in pieces. */
const droppedSeconds = 2 * 3600;

/** A project's next state with everything that must agree, as it is to be written. */
export interface Change {
  /** The state that it was made from; `undefined` for a new project. */
  before: Project | undefined;
  after: Project;
  /** What visitors get from now on; `undefined` while nothing is finished. */
  site: ServingRecord | undefined;
  /** A new version. */
  version?: Version;
  /** The upload that it was made from is stored. */
  endsIntent?: StoreId;
  /** An upload that is to be stored later. */
  begins?: Intent;
  /** When its owner's account is to be compared with its plan, unless that is noted already. */
  planCheckAt?: Instant;
  /** Versions that leave the history. */
  pruned: readonly Version[];
  charge: Charge | undefined;
  /** How its owner's account must stand; undefined where that does not matter. */
  guard: AccountGuard | undefined;
  at: Instant;
  /** When the edge is told a second time to forget the project; `undefined` where visitors see no change. */
  purgeAt: Instant | undefined;
  /** When the files of pruned versions may go. */
  dropAt: Instant;
  /** Until when an address that the project leaves is held back from others. */
  heldUntil: Instant;
}

/**
 * What a change met: a newer state, an address or an upload that is gone, an account in another
 * state than its guard expects, sums that do not allow it.
 */
export type Changed =
  | 'changed'
  | 'lost'
  | 'slug-taken'
  | 'slug-reserved'
  | 'intent-gone'
  | 'workspace-gone'
  | 'account-state'
  | Refusal;

/** Whether a change takes an address that the project has not at present. */
export function takesAddress({ before, after }: Pick<Change, 'before' | 'after'>): boolean {
  return before?.removingAt !== null || before.host !== after.host;
}

/** The same change with what is known of the address that it takes. Pure. */
export function withAddressHistory(change: Change, addressHistory: AddressHistory): Change {
  const { site } = change;
  const handedOverAt = addressHistory?.handedOverAt ?? null;
  return {
    ...change,
    after: { ...change.after, addressHistory },
    site: site && { ...site, handedOverAt },
  };
}

/** What differs between two states of a project. */
export interface Next {
  fields: Partial<Omit<Project, 'id' | 'ownerId' | 'revision' | 'updatedAt' | 'createdAt'>>;
  /** The version that is live afterwards; `undefined` while there is none. */
  live: Version | undefined;
  limits: SumLimits;
  /** A new version, made from the upload in its store; the live one, unless a newer one overtook it. */
  adds?: Version;
  pruned?: readonly Version[];
  begins?: Intent;
  /** How the owner's account must stand; an operator's change may find `any`. Owners' own need it `active`. */
  expects?: AccountState | 'any';
  planCheckAt?: Instant | undefined;
}

/** The change of a project to its next state. Pure. */
export function changeOf(before: Project, next: Next, now: Date): Change {
  const { fields, live, limits, adds, pruned = [], begins, expects, planCheckAt } = next;
  const after: Project = {
    ...before,
    ...fields,
    revision: before.revision + 1,
    ownerRevision: ownerRevisionOf(before, fields),
    updatedAt: instant(now),
  };
  return {
    ...settled(before, after, now),
    purgeAt: isSeen(before, after, live) ? purgeDueAt(now) : undefined,
    site: live === undefined ? undefined : servingRecord(after, live),
    charge: chargeOf(before, after, limits),
    guard: guardOf(after, expects),
    ...(adds !== undefined && { version: adds, endsIntent: adds.store }),
    ...(begins !== undefined && { begins }),
    ...(planCheckAt !== undefined && { planCheckAt }),
    pruned,
  };
}

/** The appearance of a project: with its first version, or with the upload that is to become it. Pure. */
export function creationOf(
  after: Project,
  {
    limits,
    ...first
  }: { limits: SumLimits; version: Version } | { limits: SumLimits; begins: Intent },
  now: Date,
): Change {
  return {
    ...settled(undefined, after, now),
    pruned: [],
    charge: chargeOf(undefined, after, limits),
    guard: guardOf(after),
    ...('version' in first
      ? {
          site: servingRecord(after, first.version),
          version: first.version,
          endsIntent: first.version.store,
        }
      : { site: undefined, begins: first.begins }),
  };
}

/** Whoever had the owner's access under another access or password has to ask for it anew. */
function ownerRevisionOf(before: Project, fields: Next['fields']): number {
  const { access = before.access, passwordHash = before.passwordHash } = fields;
  const isSame = access === before.access && passwordHash === before.passwordHash;
  return (fields.ownerRevision ?? before.ownerRevision) + (isSame ? 0 : 1);
}

function guardOf(
  { ownerId: accountId }: Project,
  expects: AccountState | 'any' = 'active',
): AccountGuard | undefined {
  return accountId === null || expects === 'any' ? undefined : { accountId, expects };
}

/** Whether visitors could tell the two states apart. */
function isSeen(before: Project, after: Project, live: Version | undefined): boolean {
  if (live === undefined) return false;
  const text = (project: Project) =>
    JSON.stringify({
      ...servingRecord(project, live),
      manifest: undefined,
      ownerRevision: undefined,
    });
  return before.version !== after.version || text(before) !== text(after);
}

function settled(before: Project | undefined, after: Project, now: Date) {
  return {
    before,
    after,
    at: instant(now),
    purgeAt: undefined,
    dropAt: instant(plusSeconds(now, droppedSeconds)),
    heldUntil: reservedUntil(now),
  };
}
