import { ascii } from './ascii.ts';
import type { LinkPreview, PageHead } from './page-head.ts';

/** What a page says itself. */
interface PageWords {
  /** The source of its title, one character for each byte. */
  title: string | undefined;
  hasDescription: boolean;
  hasNoIndex: boolean;
  previewNames: ReadonlySet<string>;
}

/** Markup for a page's head: `title` and `description` in place of the page's, `added` anew. */
interface HeadMarkup {
  added: string;
  title?: string;
  description?: string;
}

/** A head as markup. What the page has is replaced where it stands, so that it never stands twice. */
export function headMarkup(head: PageHead, page: PageWords): HeadMarkup {
  const { title, description, preview } = head;
  const titleText = title === undefined ? undefined : ascii(title);
  const descriptionTag =
    description === undefined ? undefined : meta('name', 'description', ascii(description));
  const added = [
    titleText !== undefined && page.title === undefined && `<title>${titleText}</title>`,
    !page.hasDescription && descriptionTag,
    head.noIndex === true && !page.hasNoIndex && meta('name', 'robots', 'noindex'),
    preview !== undefined && previewTags(preview, head, page),
  ];
  return {
    added: added.filter((part) => typeof part === 'string').join(''),
    ...(titleText !== undefined && { title: titleText }),
    ...(descriptionTag !== undefined && { description: descriptionTag }),
  };
}

/** The tag of a script of ours; absolute, because a page's `<base>` may point elsewhere. */
export function openTag(url: string): string {
  return `<script src="${ascii(url)}" async></script>`;
}

/** Tags for link previews, each only where the page has none of its name; its own are never changed. */
function previewTags(preview: LinkPreview, head: PageHead, page: PageWords): string {
  const title = head.title === undefined ? undefined : ascii(head.title);
  const tags: [kind: 'property' | 'name', name: string, content: string | undefined][] = [
    ['property', 'og:title', title ?? quoted(page.title) ?? ascii(preview.title)],
    [
      'property',
      'og:description',
      head.description === undefined ? undefined : ascii(head.description),
    ],
    ['property', 'og:type', 'website'],
    ['property', 'og:url', ascii(preview.url)],
    ['property', 'og:site_name', ascii(preview.title)],
    ['name', 'twitter:card', 'summary'],
  ];
  const missing = tags.flatMap(([kind, name, content]) =>
    content === undefined || page.previewNames.has(name) ? [] : [meta(kind, name, content)],
  );
  const { oEmbedUrl } = preview;
  if (oEmbedUrl !== undefined) {
    missing.push(
      `<link rel="alternate" type="application/json+oembed" href="${ascii(oEmbedUrl)}">`,
    );
  }
  return missing.join('');
}

function meta(kind: 'property' | 'name', name: string, content: string): string {
  return `<meta ${kind}="${name}" content="${content}">`;
}

const longestTitle = 1000;

/** The page's own title as an attribute's value, in its own bytes; `undefined` where it says nothing. */
function quoted(title: string | undefined): string | undefined {
  const text = title?.replaceAll(/[\t\n\f\r ]+/g, ' ').trim() ?? '';
  return text === '' || text.length > longestTitle ? undefined : text.replaceAll('"', '&quot;');
}
