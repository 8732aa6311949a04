import * as z from 'zod';
import type { AccountId } from '../../../contract/fields.ts';
import { Account } from '../../../core/accounts/account.ts';
import {
  type AccountGuard,
  type AccountState,
  accountState,
} from '../../../core/accounts/suspension.ts';
import {
  maxArchivedProjects,
  type QuotaCharge,
  type QuotaRefusal,
} from '../../../core/projects/quota.ts';
import type { QuotaNotice } from '../../../core/projects/quota-notice.ts';
import { check, update } from '../writes.ts';
import { accountKey } from './account-rows.ts';

const SuspensionFields = Account.pick({ suspendedAt: true, liftingAt: true });
const Totals = z.object({
  projectCount: z.number().int(),
  storageBytes: z.number().int(),
  /** Missing until the first project is archived. */
  archivedCount: z.number().int().optional(),
});

/** The totals of an account, and the levels of its limits of which its webhooks were told. */
export const NoticedTotals = Totals.extend({
  projectsTold: z.optional(z.int()),
  storageTold: z.optional(z.int()),
});

/**
 * The part of a transaction that changes an account's totals, checks its state, or both. It is a
 * single part, because a transaction may contain a row only once.
 * @param notices what its webhooks are told of the limits: it fails if that is no longer right
 */
export function accountParts(
  table: string,
  charge: QuotaCharge | undefined,
  guard: AccountGuard | undefined,
  notices: readonly QuotaNotice[] = [],
) {
  if (charge !== undefined)
    return [['account', chargeItem(table, charge, { guard, notices })] as const];
  return guard === undefined ? [] : [['account', guardItem(table, guard)] as const];
}

/** The condition on an account's row for each state. */
const stateCondition: Record<AccountState, string> = {
  active: 'attribute_not_exists(suspendedAt)',
  suspended: 'attribute_exists(suspendedAt) AND attribute_not_exists(liftingAt)',
  lifting: 'attribute_exists(liftingAt)',
};

function guardItem(TableName: string, { accountId, expects }: AccountGuard) {
  const when = `attribute_exists(pk) AND ${stateCondition[expects]}`;
  return check(TableName, accountKey(accountId), { when, returnsRow: true });
}

/**
 * The part of a transaction that changes an account's totals. It fails if a total would exceed the plan
 * or fall below zero.
 */
function chargeItem(
  table: string,
  charge: QuotaCharge,
  { guard, notices }: { guard: AccountGuard | undefined; notices: readonly QuotaNotice[] },
) {
  const { accountId, projects, archived, bytes, earlierBytes } = charge;
  const { maxProjects, maxStorageBytes } = charge;
  const bounds = [
    ...totalBound('projectCount', projects, maxProjects),
    ...totalBound('storageBytes', bytes, maxStorageBytes),
    ...archivedBound(archived),
  ];
  const noted = notices.filter(({ known = 0, next }) => next !== known);
  return update(table, accountKey(accountId), {
    add: { projectCount: projects, storageBytes: bytes, earlierBytes, archivedCount: archived },
    set: Object.fromEntries(noted.map(({ mark, next }) => [mark, next])),
    when: [
      'attribute_exists(pk)',
      ...(guard === undefined ? [] : [stateCondition[guard.expects]]),
      ...bounds.map(({ text }) => text),
      ...notices.map(noticeCondition),
    ].join(' AND '),
    values: Object.fromEntries([
      ...bounds.map(({ name, value }) => [name, value]),
      ...notices.flatMap(noticeValues),
    ]),
    returnsRow: true,
  });
}

function noticeCondition({ total, mark, known }: QuotaNotice) {
  const isKnown =
    known === undefined ? `attribute_not_exists(${mark})` : `${mark} = :${mark}Before`;
  return `${total} >= :${total}From AND ${total} < :${total}Below AND ${isKnown}`;
}

function noticeValues({ total, mark, known, from, below }: QuotaNotice) {
  return [
    [`${total}From`, from],
    [`${total}Below`, below],
    ...(known === undefined ? [] : [[`${mark}Before`, known]]),
  ];
}

function totalBound(total: string, change: number, max: number) {
  const name = `${total}Bound`;
  if (change < 0) return [{ text: `${total} >= :${name}`, name, value: -change }];
  if (change === 0 || max === -1) return [];
  return [{ text: `${total} <= :${name}`, name, value: max - change }];
}

function archivedBound(change: number) {
  return totalBound('archivedCount', change, maxArchivedProjects).map(({ text, ...bound }) => ({
    ...bound,
    text: change > 0 ? `(attribute_not_exists(archivedCount) OR ${text})` : text,
  }));
}

/** The reason why the account part of a transaction failed: the account's state or its totals. */
export function accountRefusal(
  row: Record<string, unknown> | undefined,
  guard: AccountGuard | undefined,
): QuotaRefusal | 'account-state' {
  if (guard !== undefined && accountState(SuspensionFields.parse(row)) !== guard.expects)
    return 'account-state';
  return { refused: Totals.parse(row) };
}

/** Bytes that an account's staged uploads reserve, or release if negative. */
interface Staging {
  table: string;
  accountId: AccountId;
  bytes: number;
}

/**
 * The part of a transaction that changes the bytes that an account's uploads reserve, up to `max`
 * (-1: unlimited).
 */
export function stagingPart({ table, accountId, bytes }: Staging, max: number) {
  const { text, values } = stagingBound(bytes, max);
  const when = `attribute_exists(pk)${text}`;
  const add = { stagedBytes: bytes };
  return update(table, accountKey(accountId), { add, when, values, returnsRow: true });
}

/**
 * An account without an upload has no such total yet. The bound is computed here because DynamoDB
 * conditions have no arithmetic.
 */
function stagingBound(bytes: number, max: number) {
  if (bytes < 0) return { text: ' AND stagedBytes >= :bound', values: { bound: -bytes } };
  if (max === -1) return { text: '', values: {} };
  const isFirst = bytes <= max ? 'attribute_not_exists(stagedBytes) OR ' : '';
  return { text: ` AND (${isFirst}stagedBytes <= :bound)`, values: { bound: max - bytes } };
}

const Staged = z.object({ stagedBytes: z.number().int().default(0) });

/**
 * The bytes that an account's uploads reserve, from the row of a failed part; throws if the account
 * does not exist.
 */
export function readStaged(row: Record<string, unknown>) {
  Totals.parse(row);
  return Staged.parse(row);
}
