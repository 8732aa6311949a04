import type { Slug } from '../../../contract/fields.ts';

/** Turns slugs and tokens into public addresses. */
export interface Addresses {
  /** Beneath a custom domain if one is given. */
  hostOf(slug: Slug, customDomain?: string): string;
  siteUrl(host: string): string;
  /** The host at which owners download files; no project has it. */
  downloadHost: string;
  downloadUrl(path: string): string;
  claimUrl(claimToken: string): string;
  /** The URL of an upload link for programs; `uploadPageUrl` is its page for people. */
  uploadUrl(token: string): string;
  uploadPageUrl(token: string): string;
  /** The oEmbed document of a site's address. */
  oEmbedUrl(url: string): string;
}

/**
 * Addresses of one installation.
 * @param baseUrl scheme and host of the app, no trailing slash
 * @param sitesDomain domain of the sites, with a port where there is one; hosts are stored without it
 */
export function addresses(baseUrl: string, sitesDomain: string): Addresses {
  const { protocol } = new URL(baseUrl);
  const [domain = sitesDomain, port] = sitesDomain.split(':');
  const suffix = port === undefined ? '' : `:${port}`;
  return {
    hostOf: (slug, customDomain = domain) => `${slug}.${customDomain}`,
    siteUrl: (host) => `${protocol}//${host}${suffix}`,
    downloadHost: `download.${domain}`,
    downloadUrl: (path) => `${protocol}//download.${sitesDomain}${path}`,
    claimUrl: (claimToken) => `${baseUrl}/claim/${claimToken}`,
    uploadUrl: (token) => `${baseUrl}/v1/upload-links/${token}`,
    oEmbedUrl: (url) => `${baseUrl}/oembed?url=${encodeURIComponent(url)}&format=json`,
    uploadPageUrl: (token) => `${baseUrl}/upload/${token}`,
  };
}
