import type { Instant } from '../../contract/fields.ts';
import type { AccountEvent } from '../webhooks/webhook.ts';
import type { QuotaCharge } from './quota.ts';

/** The percentages of a limit of which webhooks are told. */
const levels = [80, 100] as const;

/** A level is told again only after the use was so many percent of the limit below it. */
const fallPercent = 10;

/** A total of an account, the change of it, and where the level is noted that was told last. */
const measures = [
  {
    what: 'projects',
    total: 'projectCount',
    mark: 'projectsTold',
    change: 'projects',
    max: 'maxProjects',
  },
  {
    what: 'storage',
    total: 'storageBytes',
    mark: 'storageTold',
    change: 'bytes',
    max: 'maxStorageBytes',
  },
] as const;

type Measure = (typeof measures)[number];

/** The totals of an account, and the levels in percent of which its webhooks were told. */
export type NoticedUsage = Record<Measure['total'], number> &
  Partial<Record<Measure['mark'], number | undefined>>;

/** What a charge means for one limit, and for which totals before it that is right. */
export interface QuotaNotice extends Pick<Measure, 'what' | 'total' | 'mark'> {
  /** The level that was told before; nothing if there was none. */
  known: number | undefined;
  /** The level to note, in percent. */
  next: number;
  /** The event; nothing if there is nothing to tell. */
  data: { what: Measure['what']; percent: number; used: number; limit: number } | undefined;
  /** The total before the charge is at least this. */
  from: number;
  /** The total before the charge is less than this. */
  below: number;
}

/** Whether a charge adds to a total that has a limit. Pure. */
export function addsToLimit(charge: QuotaCharge | undefined): charge is QuotaCharge {
  return charge !== undefined && addedMeasures(charge).length > 0;
}

function addedMeasures(charge: QuotaCharge) {
  return measures.filter(({ change, max }) => charge[change] > 0 && charge[max] > 0);
}

/**
 * What a charge means for each limit that it comes closer to. A level is told once: again only after the use had
 * fallen clearly below it, so that an account around a mark is not told again and again. Every way up to a level
 * passes here, so a charge that frees something needs to note nothing. Pure.
 */
export function quotaNotices(charge: QuotaCharge, usage: NoticedUsage): QuotaNotice[] {
  return addedMeasures(charge).map(({ what, total, mark, change, max }) => {
    const [before, added, limit, known] = [usage[total], charge[change], charge[max], usage[mark]];
    const share = (percent: number) => Math.ceil((limit * percent) / 100);
    const told = highest((level) => level <= (known ?? 0) && before >= share(level - fallPercent));
    const reached = highest((level) => before + added >= share(level));
    const cuts = levels.flatMap((level) => [share(level - fallPercent), share(level) - added]);
    const used = before + added;
    return {
      what,
      total,
      mark,
      known,
      next: Math.max(told, reached),
      data: reached > told ? { what, percent: reached, used, limit } : undefined,
      from: Math.max(0, ...cuts.filter((cut) => cut <= before)),
      below: Math.min(Number.MAX_SAFE_INTEGER, ...cuts.filter((cut) => cut > before)),
    };
  });
}

function highest(isMet: (level: number) => boolean): number {
  return levels.findLast(isMet) ?? 0;
}

/** Whether what was read of an account is no longer right for a notice. Pure. */
export function isOutdated({ total, mark, known, from, below }: QuotaNotice, now: NoticedUsage) {
  return now[total] < from || now[total] >= below || now[mark] !== known;
}

/** The events of notices. Pure. */
export function quotaEvents(
  { accountId }: Pick<QuotaCharge, 'accountId'>,
  notices: readonly QuotaNotice[],
  at: Instant,
): AccountEvent[] {
  return notices.flatMap(({ data }) =>
    data === undefined ? [] : [{ type: 'quota.near', at, accountId, projectId: null, data }],
  );
}
