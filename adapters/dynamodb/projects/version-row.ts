import * as z from 'zod/mini';
import { StoreId } from '../../../core/content/content-keys.ts';
import { Version } from '../../../core/projects/version.ts';
import { firstStore } from './project-keys.ts';

const VersionRow = z.extend(Version, {
  store: z._default(StoreId, firstStore),
  home: z._default(z.nullable(z.string()), null),
});

/** Parses a version's row. */
export function parseVersionRow(row: unknown): Version {
  return Version.parse(VersionRow.parse(row));
}
