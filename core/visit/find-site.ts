import type { SiteDirectory } from '../ports.ts';
import type { ServingRecord } from './serving-record.ts';
import type { DomainId, ProjectId } from '../../contract/fields.ts';

/** Where a visitor's request arrived. */
export interface VisitedAddress {
  host: string;
  /** The custom domain whose tenant the request came through; null for the sites domain's. */
  domainId: string | null;
}

/** The project that a custom domain shows at its bare name and at `www`. */
export interface DomainRoot {
  domainId: DomainId;
  projectId: ProjectId;
  /** The host of the project itself. */
  host: string;
}

/** Root projects by the bare names of their domains. */
export interface DomainRoots {
  get(name: string): Promise<DomainRoot | undefined>;
}

/** Dependencies of {@link findSite}. */
export interface FindSiteDeps {
  sites: SiteDirectory;
  roots: DomainRoots;
}

/**
 * The site at an address, by tenant and host: one read, and three more where a custom domain has no
 * project of that name. A host alone does not identify a site, because a name may have changed hands
 * while an earlier site still holds its record. Where a root project is shown, its `host` is the
 * visited one.
 */
export async function findSite(
  { sites, roots }: FindSiteDeps,
  { host, domainId }: VisitedAddress,
): Promise<ServingRecord | undefined> {
  // The app's own host serves no site.
  if (host === '') return undefined;
  const site = await sites.get(host);
  if (site?.domainId === domainId) return site;
  if (domainId === null) return undefined;
  const root = await roots.get(bareName(host));
  return root?.domainId === domainId ? findRootSite(sites, root, host) : undefined;
}

/** The name of a domain that shows its root project at this host. */
export function bareName(host: string): string {
  return host.replace(/^www\./, '');
}

/** The site of a root project; undefined where the project has left the domain since. */
export async function findRootSite(
  sites: SiteDirectory,
  root: DomainRoot,
  host: string,
): Promise<ServingRecord | undefined> {
  const site = await sites.get(root.host);
  const isIt = site?.projectId === root.projectId && site.domainId === root.domainId;
  return isIt ? { ...site, host } : undefined;
}
