import type { SiteDirectory } from '../ports.ts';
import { type PreviewHost, readPreviewHost } from '../projects/addresses/preview-host.ts';
import type { ServingRecord } from './serving-record.ts';
import type { DomainId, Instant, ProjectId } from '../../contract/fields.ts';

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
  /** When the bare name came from another account; null where no former site is known. */
  handedOverAt: Instant | null;
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
 * A site at an address; `shows` where the address shows one version only, to visitors with a link to it, or the
 * named preview of this name.
 */
export type FoundSite = ServingRecord & { shows?: PreviewHost['shows'] };

/**
 * The site at an address, by tenant and host: one read, one more for the host of a version or a named preview, and two
 * more where a custom domain has no project of that name. A host alone does not identify a site, because a name may have changed hands
 * while an earlier site still holds its record. Where a root project is shown, its `host` is the
 * visited one.
 */
export async function findSite(
  { sites, roots }: FindSiteDeps,
  { host, domainId }: VisitedAddress,
): Promise<FoundSite | undefined> {
  // The app's own host serves no site.
  if (host === '') return undefined;
  const pinned = readPreviewHost(host);
  // No project has the host of another one's preview; beneath a custom domain, its bare name may look like one.
  const site = pinned !== undefined && domainId === null ? undefined : await sites.get(host);
  if (site?.domainId === domainId) return site;
  const shown = pinned && (await findPinned(sites, pinned, { host, domainId }));
  // The name of a custom domain may itself look like the host of a version.
  if (shown !== undefined || domainId === null) return shown;
  const root = await roots.get(bareName(host));
  return root?.domainId === domainId ? findRootSite(sites, root, host) : undefined;
}

/**
 * The site at a host where no tenant says which custom domain a request came through. The bare name of a
 * domain comes before a project of that name beneath the domain above, as at the edge.
 */
export async function findSiteByHost(
  deps: FindSiteDeps,
  host: string,
): Promise<FoundSite | undefined> {
  const site = await deps.sites.get(readPreviewHost(host)?.host ?? host);
  if (site?.domainId === null) return findSite(deps, { host, domainId: null });
  const root = await deps.roots.get(bareName(host));
  const shown = root && (await findSite(deps, { host, domainId: root.domainId }));
  return shown ?? (site && findSite(deps, { host, domainId: site.domainId }));
}

/**
 * The host, in its DNS form, of an address that somebody typed or copied; undefined if there is
 * none.
 */
export function readHost(address: string): string | undefined {
  const text = address.trim();
  const isWhole = /^https?:\/\//i.test(text);
  // Without a scheme, this is an e-mail address.
  if (!isWhole && text.includes('@')) return undefined;
  const url = isWhole ? text : `https://${text}`;
  const host = URL.parse(url)?.hostname.replace(/\.$/, '') ?? '';
  return host === '' ? undefined : host;
}

async function findPinned(
  sites: SiteDirectory,
  { host: projectHost, shows }: PreviewHost,
  { host, domainId }: VisitedAddress,
): Promise<FoundSite | undefined> {
  const site = await sites.get(projectHost);
  return site?.domainId === domainId ? { ...site, host, shows } : undefined;
}

/** The name of a domain that shows its root project at this host. */
function bareName(host: string): string {
  return host.replace(/^www\./, '');
}

/** The site of a root project; undefined where the project has left the domain since. */
async function findRootSite(
  sites: SiteDirectory,
  root: DomainRoot,
  host: string,
): Promise<ServingRecord | undefined> {
  const site = await sites.get(root.host);
  const isIt = site?.projectId === root.projectId && site.domainId === root.domainId;
  // The former owner of the project's own address does not matter here, but that of the bare name.
  return isIt ? { ...site, host, handedOverAt: root.handedOverAt } : undefined;
}
