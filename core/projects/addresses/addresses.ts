import type { Slug } from '../../../contract/fields.ts';

/** Turns slugs and tokens into public addresses. */
export type Addresses = ReturnType<typeof addresses>;

/**
 * Addresses of one installation.
 * @param baseUrl scheme and host of the app, no trailing slash
 * @param sitesDomain domain of the sites, with a port where there is one; hosts are stored without it
 */
export function addresses(baseUrl: string, sitesDomain: string) {
  const { protocol } = new URL(baseUrl);
  const [domain = sitesDomain, port] = sitesDomain.split(':');
  const suffix = port === undefined ? '' : `:${port}`;
  return {
    /** Beneath a custom domain if one is given. */
    hostOf: (slug: Slug, customDomain: string = domain) => `${slug}.${customDomain}`,
    siteUrl: (host: string) => `${protocol}//${host}${suffix}`,
    /** The host at which owners download files; no project has it. */
    downloadHost: `download.${domain}`,
    downloadUrl: (path: string) => `${protocol}//download.${sitesDomain}${path}`,
    claimUrl: (claimToken: string) => `${baseUrl}/claim/${claimToken}`,
    /** The URL of an upload link for programs; `uploadPageUrl` is its page for people. */
    uploadUrl: (token: string) => `${baseUrl}/v1/upload-links/${token}`,
    oEmbedUrl: (url: string) => `${baseUrl}/oembed?url=${encodeURIComponent(url)}&format=json`,
    uploadPageUrl: (token: string) => `${baseUrl}/upload/${token}`,
  };
}
