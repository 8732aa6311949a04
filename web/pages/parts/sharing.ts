import { type Html, html } from './html.ts';

/** Metadata of a public project's page, for the link previews of other programs. */
export interface SharingMetadata {
  /** The page's own address, absolute. */
  url: string;
  title: string;
  description?: string | undefined;
  siteName: string;
  oEmbedUrl: string;
  /** The media file of the page, if a preview can show it. */
  media?: SharedMedia | undefined;
}

/** A file that others may load; `url` is absolute. */
export interface SharedMedia {
  kind: 'image' | 'video' | 'audio';
  url: string;
  contentType: string;
}

/** Canonical address, Open Graph and Twitter tags, and where the oEmbed answer is. */
export function sharingTags(sharing: SharingMetadata): Html {
  const { url, title, description, siteName, oEmbedUrl, media } = sharing;
  const isPicture = media?.kind === 'image';
  return html`<link rel="canonical" href="${url}">
<link rel="alternate" type="application/json+oembed" href="${oEmbedUrl}">
<link rel="alternate" type="application/atom+xml" href="/_slipway/versions.atom">
<meta property="og:title" content="${title}">
${description !== undefined && html`<meta property="og:description" content="${description}">`}
<meta property="og:type" content="${media?.kind === 'video' ? 'video.other' : 'website'}">
<meta property="og:url" content="${url}">
<meta property="og:site_name" content="${siteName}">
${media !== undefined && mediaTags(media)}
<meta name="twitter:card" content="${isPicture ? 'summary_large_image' : 'summary'}">`;
}

function mediaTags({ kind, url, contentType }: SharedMedia): Html {
  const [type = contentType] = contentType.split(';');
  return html`<meta property="og:${kind}" content="${url}">
<meta property="og:${kind}:type" content="${type}">`;
}
