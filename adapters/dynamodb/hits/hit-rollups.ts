import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { ProjectId } from '../../../contract/fields.ts';
import type { CappedBatch } from '../../../core/analytics/cap-visits.ts';
import type { MinuteCount } from '../../../core/analytics/ports.ts';
import { epochSeconds, instant, plusSeconds } from '../../../core/instants.ts';
import { hasRevision, put, update, write } from '../writes.ts';
import { hourKeptSeconds, rollupKey } from './hit-rows.ts';

/** Minutes are rolled up this long after their end, ten at a time. */
const settledSeconds = 15 * 60;
const stepMinutes = 10;
/**
 * A hit that is counted later than this is also added to the rollup of its day, which may already
 * include its minute. A counter runs for at most a minute, so ten minutes between the two limits
 * are enough.
 */
const lateSeconds = 5 * 60;
/** Fewer blocks are cheaper to read again than to roll up. */
const fewBlocks = 32;

const minutesOfDay = 1440;

/** The minutes of a day. */
export const RollupRow = z.looseObject({
  sk: z.string(),
  revision: z.number(),
  until: z.number().default(0),
  counts: z.instanceof(Uint8Array).optional(),
});
/** Visits and opens, by minute of the day; later minutes have none. */
const Counts = z.object({ visits: z.array(z.number()), opens: z.array(z.number()) });
type Counts = z.infer<typeof Counts>;

/** The counts of a day's first minutes, up to `until`, of all partitions. */
export interface Rollup {
  /** As `2026-03-01`. */
  day: string;
  /** Increases with each write, also for late hits. */
  revision: number;
  /** The end of the last minute that it includes; the beginning of the day if it includes none yet. */
  until: Date;
  minutes: readonly MinuteCount[];
}

/** Parses a rollup and adds its late hits. Hits of minutes after `until` are in blocks. */
export async function parseRollup(row: unknown): Promise<Rollup> {
  const parsed = RollupRow.parse(row);
  const [, day = ''] = parsed.sk.split('#');
  const { visits, opens } = await decompressCounts(parsed.counts);
  for (const [name, value] of Object.entries(parsed)) {
    const [, kind, minute = ''] = /^l([vo])(\d{1,4})$/.exec(name) ?? [];
    if (kind === undefined || typeof value !== 'number' || Number(minute) >= parsed.until) continue;
    addTo(kind === 'v' ? visits : opens, Number(minute), value);
  }
  const start = startOfDay(day);
  const length = Math.max(visits.length, opens.length);
  const minutes = Array.from({ length }, (_, minute) => ({
    at: plusSeconds(start, minute * 60),
    visits: visits[minute] ?? 0,
    opens: opens[minute] ?? 0,
  }));
  return { day, revision: parsed.revision, until: plusSeconds(start, parsed.until * 60), minutes };
}

/**
 * Adds the late hits of a batch to the rollup of their day, in the transaction that writes their
 * blocks. The row is created if there is none, so that a reader which has not seen these hits
 * cannot write its rollup.
 */
export function lateParts(TableName: string, batch: CappedBatch, now: Date) {
  const latest = instant(plusSeconds(now, -lateSeconds));
  const totals = new Map<string, number>();
  for (const { record, counts } of batch.hits) {
    if (record.at >= latest) continue;
    const minute = minuteOfDay(new Date(record.at));
    for (const [name, count] of [
      [`lv${minute}`, counts.visits],
      [`lo${minute}`, counts.opens],
    ] as const) {
      if (count > 0) totals.set(name, (totals.get(name) ?? 0) + count);
    }
  }
  if (totals.size === 0) return [];
  const day = batch.hour.slice(0, 10);
  const add = { revision: 1, ...Object.fromEntries(totals) };
  const change = { add, set: { ttl: ttlOf(day) } };
  return [[`rollup ${day}`, update(TableName, rollupKey(batch.projectId, day), change)] as const];
}

/** The rollups of consecutive days from `from` on, and the time from which blocks must be read. */
export function coverage(rollups: readonly Rollup[], from: Date) {
  const days = new Map(rollups.map((rollup) => [rollup.day, rollup]));
  const used: Rollup[] = [];
  let until = from;
  for (;;) {
    const rollup = days.get(dayOf(until));
    if (rollup === undefined || rollup.until <= until) return { used, until };
    used.push(rollup);
    until = rollup.until;
  }
}

/** The data that was read from blocks, from `from` on. */
export interface ReadBlocks {
  projectId: ProjectId;
  /** All rollups, as they were before the blocks were read. */
  rollups: readonly Rollup[];
  from: Date;
  /** The minute of each block, even if none of its hits counts. */
  blocks: readonly Date[];
  minutes: readonly MinuteCount[];
}

/**
 * Adds the counts of settled blocks to the rollups of their days, oldest first, so that there is no
 * gap. A rollup is written on the condition that no late hit and no other reader has changed it
 * since it was read.
 */
export async function rollUp(
  client: DynamoDBDocumentClient,
  TableName: string,
  { read, now }: { read: ReadBlocks; now: Date },
): Promise<void> {
  const step = stepMinutes * 60_000;
  const settledMs = plusSeconds(now, -settledSeconds).getTime();
  const until = new Date(Math.floor(settledMs / step) * step);
  if (read.blocks.filter((at) => at < until).length < fewBlocks) return;
  const settled = read.minutes.filter(({ at }) => at < until);
  for (let at = read.from; at < until; at = startOfNextDay(at)) {
    const day = dayOf(at);
    const earlier = read.rollups.find((rollup) => rollup.day === day);
    const kept = earlier?.minutes.filter((minute) => minute.at < read.from) ?? [];
    const minutes = [...kept, ...settled.filter((minute) => dayOf(minute.at) === day)];
    const end = Math.min(until.getTime(), startOfNextDay(at).getTime());
    const seen = earlier?.revision ?? 0;
    const row = {
      ...rollupKey(read.projectId, day),
      revision: seen + 1,
      until: Math.round((end - startOfDay(day).getTime()) / 60_000),
      counts: await compressCounts(minutes),
      ttl: ttlOf(day),
    };
    if (!(await write(client, put(TableName, row, hasRevision(seen))))) return;
  }
}

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

function compressCounts(minutes: readonly MinuteCount[]): Promise<Uint8Array> {
  const counts: Counts = { visits: [], opens: [] };
  for (const { at, visits, opens } of minutes) {
    if (visits > 0) addTo(counts.visits, minuteOfDay(at), visits);
    if (opens > 0) addTo(counts.opens, minuteOfDay(at), opens);
  }
  return compress(JSON.stringify(counts), quick);
}

async function decompressCounts(compressed: Uint8Array | undefined): Promise<Counts> {
  if (compressed === undefined) return { visits: [], opens: [] };
  return Counts.parse(JSON.parse((await decompress(compressed)).toString('utf8')));
}

function addTo(counts: number[], minute: number, count: number): void {
  while (counts.length <= minute) counts.push(0);
  counts[minute] = (counts[minute] ?? 0) + count;
}

function dayOf(at: Date): string {
  return instant(at).slice(0, 10);
}

function startOfDay(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`);
}

function startOfNextDay(at: Date): Date {
  return plusSeconds(startOfDay(dayOf(at)), minutesOfDay * 60);
}

function minuteOfDay(at: Date): number {
  return at.getUTCHours() * 60 + at.getUTCMinutes();
}

function ttlOf(day: string): number {
  return epochSeconds(plusSeconds(startOfDay(day), hourKeptSeconds));
}
