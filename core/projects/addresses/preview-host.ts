/** A host that shows one version of a project: `calm-harbour-x7k2--v3.sites.example.net`. */
export interface PreviewHost {
  /** The host of the project. */
  host: string;
  version: number;
}

/** The longest label of a host name (RFC 1035 §2.3.4). */
const maxLabelLength = 63;

/** Slugs with this are reserved. */
export const reservedInSlugs = '--';

/**
 * The host of one version; undefined where the slug leaves no room for the number. It is one label,
 * because wildcard certificates cover only one.
 */
export function previewHost({ host, version }: PreviewHost): string | undefined {
  const dot = host.indexOf('.');
  const label = `${host.slice(0, dot)}${reservedInSlugs}v${version}`;
  return label.length > maxLabelLength ? undefined : label + host.slice(dot);
}

/** The inverse of {@link previewHost}; undefined for other hosts. */
export function readPreviewHost(host: string): PreviewHost | undefined {
  const [, slug, number, rest] = /^([a-z0-9-]+)--v([1-9]\d{0,8})(\..+)$/.exec(host) ?? [];
  if (slug === undefined || rest === undefined) return undefined;
  return { host: slug + rest, version: Number(number) };
}
