import * as z from 'zod/mini';
import { Instant } from '../../../contract/visits/visit-fields.ts';
import { defaultServedSettings, ServedSettings } from '../../../contract/visits/served-settings.ts';
import type { SiteDirectory } from '../../../core/ports.ts';
import { ServingRecord } from '../../../core/visit/serving-record.ts';
import { firstStore } from './project-keys.ts';
import type { ReadItem } from '../read-rows.ts';

/** The row of the sites table; null fields are absent. */
const SiteRow = z.extend(ServingRecord, {
  domainId: z._default(z.nullable(z.uuid()), null),
  ownerId: z._default(ServingRecord.shape.ownerId, null),
  ownerRevision: z._default(ServingRecord.shape.ownerRevision, 0),
  passwordStamp: z._default(z.nullable(z.string()), null),
  ...z.partial(ServedSettings).shape,
  home: z._default(z.nullable(z.string()), null),
  expiresAt: z._default(z.nullable(Instant), null),
  archivedAt: z._default(z.nullable(Instant), null),
  restingUntil: z._default(z.nullable(Instant), null),
  store: z._default(ServingRecord.shape.store, firstStore),
  takenDown: z._default(z.boolean(), false),
  handedOverAt: z._default(z.nullable(Instant), null),
  ttl: z.optional(z.number()),
});

/**
 * Serving records for what may see a site as it was a moment ago. A site that is not found is looked for
 * again in `sites`: it may have been published in this moment.
 */
export function thriftySites(earlier: SiteDirectory, sites: SiteDirectory): SiteDirectory {
  return { get: async (host) => (await earlier.get(host)) ?? sites.get(host) };
}

/** Serving records by host. A row that is the same object as before is not parsed again. */
export function siteDirectory(readItem: ReadItem, table: string): SiteDirectory {
  const records = new WeakMap<object, ServingRecord>();
  return {
    async get(host) {
      const row = await readItem(table, { host });
      if (row === undefined) return undefined;
      const known = records.get(row);
      if (known !== undefined) return known;
      const record = parseSiteRow(row);
      if (record !== undefined) records.set(row, Object.freeze(record));
      return record;
    },
  };
}

/** The record of a row; undefined for a reserved address and one without published content, which serve nothing. */
export function parseSiteRow(row: Record<string, unknown>): ServingRecord | undefined {
  if (row['version'] === undefined) return undefined;
  return ServingRecord.parse({ ...defaultServedSettings, ...SiteRow.parse(row) });
}
