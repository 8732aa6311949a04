import type { Slug } from '../../../contract/fields.ts';
import type { AccountCaller } from '../../caller.ts';
import type { ProjectStore } from '../../ports.ts';
import type { Addresses } from './addresses.ts';
import { slugReserved, slugTaken } from '../settings/change-project.ts';
import { isReserved } from './reserved-slugs.ts';

/** What looking at an address needs. */
export interface CheckSlugDeps {
  projects: Pick<ProjectStore, 'availability'>;
  addresses: Pick<Addresses, 'hostOf'>;
  brand: string;
  now(): Date;
}

/**
 * Refuses an address that the caller surely cannot have; the step that takes it decides.
 * @throws CodedError SLUG_TAKEN
 */
export async function checkSlug(
  deps: CheckSlugDeps,
  { account }: AccountCaller,
  slug: Slug,
): Promise<void> {
  if (isReserved(slug, deps.brand)) throw slugTaken(slug);
  const host = deps.addresses.hostOf(slug);
  const claimant = { slug, accountId: account.id };
  const availability = await deps.projects.availability(host, claimant, deps.now());
  if (availability === 'taken') throw slugTaken(slug);
  if (availability === 'reserved') throw slugReserved(slug);
}
