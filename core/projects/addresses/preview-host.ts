import { isPreviewName } from '../../../contract/visits/preview-name.ts';

/**
 * A host beside a project's own: of one version (`calm-harbour-x7k2--v3.sites.example.net`), or of a named preview
 * (`calm-harbour-x7k2--pr-42.sites.example.net`). No preview has the name of a version.
 */
export interface PreviewHost {
  host: string;
  /** The version, or the name of a preview. */
  shows: number | string;
}

/** The longest label of a host name (RFC 1035 §2.3.4). */
const maxLabelLength = 63;

/** Slugs with this are reserved. */
export const reservedInSlugs = '--';

/** Labels that begin so are names in other scripts (RFC 5890 §2.3.2.1). */
const otherScripts = 'xn--';

/**
 * The host of one version or preview; undefined where the slug leaves no room for it, or is `xn`. It is one label,
 * because wildcard certificates cover only one.
 */
export function previewHost({ host, shows }: PreviewHost): string | undefined {
  const dot = host.indexOf('.');
  const name = typeof shows === 'number' ? `v${shows}` : shows;
  const label = `${host.slice(0, dot)}${reservedInSlugs}${name}`;
  const isName = label.length <= maxLabelLength && !label.startsWith(otherScripts);
  return isName ? label + host.slice(dot) : undefined;
}

/** The inverse of {@link previewHost}; undefined for other hosts, and for names in other scripts (`xn--`). */
export function readPreviewHost(host: string): PreviewHost | undefined {
  const [, slug, name = '', rest] = /^(?!xn--)([a-z0-9-]+?)--([a-z0-9-]+)(\..+)$/.exec(host) ?? [];
  if (slug === undefined || rest === undefined) return undefined;
  const [, number] = /^v([1-9]\d{0,8})$/.exec(name) ?? [];
  if (number !== undefined) return { host: slug + rest, shows: Number(number) };
  return isPreviewName(name) ? { host: slug + rest, shows: name } : undefined;
}
