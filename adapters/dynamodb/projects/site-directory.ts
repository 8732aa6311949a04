import type { SiteDirectory } from '../../../core/ports.ts';
import { ServingRecord } from '../../../core/visit/serving-record.ts';
import { rowParser } from '../null-fields.ts';
import type { ReadItem } from '../read-rows.ts';

const parseRecord = rowParser(ServingRecord);

/**
 * A directory for uses that may see a slightly outdated site, read from `earlier`. A missing site
 * is looked up again in `sites`, because it may just have been published.
 */
export function thriftySites(earlier: SiteDirectory, sites: SiteDirectory): SiteDirectory {
  return { get: async (host) => (await earlier.get(host)) ?? sites.get(host) };
}

/** Serving records by host. A row that is the same object as before is not parsed again. */
export function siteDirectory(readItem: ReadItem, table: string): SiteDirectory {
  const records = new WeakMap<object, ServingRecord>();
  /** The address that was read last, if its project expired: the page of a missing site needs no second read. */
  let former: Record<string, unknown> | undefined;
  return {
    async get(host) {
      const row = await readItem(table, { host });
      former = row?.['expired'] === true ? row : undefined;
      if (row === undefined) return undefined;
      const known = records.get(row);
      if (known !== undefined) return known;
      const record = parseSiteRow(row);
      if (record !== undefined) records.set(row, Object.freeze(record));
      return record;
    },
    hasExpired: ({ host, domainId }, now) =>
      former?.['host'] === host &&
      (former['domainId'] ?? null) === domainId &&
      Date.parse(String(former['heldUntil'])) > now.getTime(),
  };
}

/** The record of a row; undefined for a reserved address and for one without published content. */
export function parseSiteRow(row: Record<string, unknown>): ServingRecord | undefined {
  if (row['version'] === undefined) return undefined;
  return parseRecord(row);
}
