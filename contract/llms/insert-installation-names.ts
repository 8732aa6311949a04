/**
 * The real values for the invented names in the texts of `docs/` and in the examples of operations.
 */
export interface InstallationNames {
  brand: string;
  /** Scheme and host of the app, no trailing slash. */
  baseUrl: string;
  /** Domain of the published sites, with a port where there is one. */
  sitesDomain: string;
  keyPrefix: string;
}

/** Replaces the invented names by those of the installation. */
export function insertInstallationNames(text: string, names: InstallationNames): string {
  const { brand, baseUrl, sitesDomain, keyPrefix } = names;
  const { protocol } = new URL(baseUrl);
  return (
    text
      .replaceAll('https://app.example.com', () => baseUrl)
      // Also within a query, where slashes are percent-encoded.
      .replaceAll(
        /https(:\/\/|%3A%2F%2F)([\w-]+)\.sites\.example\.net/g,
        (_, slashes: string, slug: string) =>
          slashes === '://'
            ? `${protocol}//${slug}.${sitesDomain}`
            : encodeURIComponent(`${protocol}//${slug}.${sitesDomain}`),
      )
      // A host alone, which has no port.
      .replaceAll('.sites.example.net', () => `.${sitesDomain.replace(/:\d+$/, '')}`)
      .replaceAll('sw_live_', () => `${keyPrefix}_live_`)
      // Not in names of headers, such as `X-Slipway-…`.
      .replaceAll(/(?<![\w-])Slipway(?![\w-])/g, () => brand)
  );
}
