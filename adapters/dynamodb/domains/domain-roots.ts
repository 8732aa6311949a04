import * as z from 'zod/mini';
import { DomainId, Instant, ProjectId } from '../../../contract/visits/visit-fields.ts';
import type { DomainRoots } from '../../../core/visit/find-site.ts';
import { metaKey } from '../projects/project-keys.ts';
import type { ReadItem } from '../read-rows.ts';

/**
 * `root#` distinguishes the key from that of a host: `shop.example.com` may be a domain, and a
 * project of `example.com`.
 */
export const rootKey = (name: string) => ({ host: `root#${name}` });

/** The row of a bare name. */
export const RootRow = z.object({
  domainId: DomainId,
  projectId: ProjectId,
  handedOverAt: z._default(z.nullable(Instant), null),
  heldUntil: z._default(z.nullable(Instant), null),
});
export type RootRow = z.infer<typeof RootRow>;

const Located = z.object({ host: z.string() });

/**
 * Root projects: a row in the sites table for each domain that has one. The host comes from the
 * project's own row, so that a renamed project stays the root.
 */
export function domainRoots(
  readItem: ReadItem,
  tables: { sites: string; projects: string },
): DomainRoots {
  return {
    async get(name) {
      const root = await readRoot(readItem, tables.sites, name);
      if (root === undefined) return undefined;
      const row = await readItem(tables.projects, metaKey(root.projectId));
      return row === undefined ? undefined : { ...root, ...Located.parse(row) };
    },
  };
}

/** The row of a bare name. */
export async function readRoot(
  readItem: ReadItem,
  table: string,
  name: string,
): Promise<RootRow | undefined> {
  const row = await readItem(table, rootKey(name));
  return row === undefined ? undefined : RootRow.parse(row);
}
