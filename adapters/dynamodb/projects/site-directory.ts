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

/** Serving records by host. */
export function siteDirectory(readItem: ReadItem, table: string): SiteDirectory {
  return {
    async get(host) {
      const row = await readItem(table, { host });
      // A reserved address, or one without published content, serves nothing.
      if (row?.['version'] === undefined) return undefined;
      return ServingRecord.parse({ ...defaultSettings, ...SiteRow.parse(row) });
    },
  };
}
