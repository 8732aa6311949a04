import * as z from 'zod';
import { Instant } from '../../../contract/fields.ts';
import { defaultSettings, ServedSettings } from '../../../contract/project-settings.ts';
import type { SiteDirectory } from '../../../core/ports.ts';
import { ServingRecord } from '../../../core/visit/serving-record.ts';
import { firstStore } from './project-keys.ts';
import type { ReadItem } from '../read-rows.ts';

/** The row of the sites table; null fields are absent. */
const SiteRow = ServingRecord.extend({
  domainId: z.uuid().nullable().default(null),
  ownerId: ServingRecord.shape.ownerId.default(null),
  ownerRevision: ServingRecord.shape.ownerRevision.default(0),
  passwordStamp: z.string().nullable().default(null),
  ...ServedSettings.partial().shape,
  home: z.string().nullable().default(null),
  expiresAt: Instant.nullable().default(null),
  archivedAt: Instant.nullable().default(null),
  restingUntil: Instant.nullable().default(null),
  store: ServingRecord.shape.store.default(firstStore),
  takenDown: z.boolean().default(false),
  handedOverAt: Instant.nullable().default(null),
  ttl: z.number().optional(),
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
      // A reserved address, or one without published content, serves nothing.
      if (row?.['version'] === undefined) return undefined;
      const known = records.get(row);
      if (known !== undefined) return known;
      const record = ServingRecord.parse({ ...defaultSettings, ...SiteRow.parse(row) });
      records.set(row, Object.freeze(record));
      return record;
    },
  };
}
