import type { LinkPreview, PageHead } from './page-head.ts';
import { refusesScript } from './script-policy.ts';
import { type HeadLayout, readHead, type Span } from './read-head.ts';
import { escapeToAscii } from './ascii.ts';

/** Comments, and elements whose content is no markup of this page; then what only a whole page has. */
const documentMarkup =
  /<!--(?:-?>|[^]*?(?:-->|$))|<(script|style|template|textarea|svg)(?=[\t\n\f\r />])(?:[^]*?<\/\1|[^]*)|<(!doctype|html|head|body|title)(?=[\t\n\f\r />])/gi;

/**
 * Whether a file has a doctype, or a tag that only whole pages have. Others are fragments, which a script
 * puts into a page. Takes linear time.
 *
 * @param text one character for each byte
 */
export function isDocument(text: string): boolean {
  for (const [, , name] of text.matchAll(documentMarkup)) if (name !== undefined) return true;
  return false;
}

/** Text that replaces a span of a page; an empty span is an insertion. */
interface Splice extends Span {
  text: string;
}

/**
 * Edits the head of a page. Every byte that is not replaced stays unchanged.
 *
 * Nothing is decoded, and only ASCII is inserted, so that it means the same in every encoding that
 * extends ASCII. A page in UTF-16 or ISO-2022-JP, where those bytes can be halves of other
 * characters, is returned unchanged. So is a file that is only a part of a page.
 */
export function editPage(bytes: Uint8Array, head: PageHead): Uint8Array {
  if (utf16Marks.some((mark) => startsWith(bytes, mark))) return bytes;
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = source.toString('latin1');
  if (!isDocument(text)) return bytes;
  const layout = readHead(text, startsWith(bytes, utf8Mark) ? utf8Mark.length : 0);
  const all = headSplices(text, layout, head).toSorted(
    (a, b) => a.start - b.start || a.end - b.end,
  );
  const touched = source.subarray(0, Math.max(characterBytes, all.at(-1)?.end ?? 0));
  return touched.includes(nul) || touched.includes(escape) ? bytes : applySplices(source, all);
}

const utf8Mark = [0xef, 0xbb, 0xbf];
const utf16Marks = [
  [0xfe, 0xff],
  [0xff, 0xfe],
];
/** The longest character of an encoding; where an encoding does not extend ASCII, one of its bytes is NUL. */
const characterBytes = 4;
const nul = 0x00;
/** The escape character of ISO-2022-JP, after which any byte may be half a character. */
const escape = 0x1b;

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

function headSplices(text: string, layout: HeadLayout, head: PageHead): Splice[] {
  const { early, late, title, descriptions } = layout;
  const fallback = fallbackTitle(text, layout, head);
  const parts = headMarkup(head, {
    title: title === undefined ? undefined : text.slice(title.start, title.end),
    hasDescription: descriptions.length > 0,
    hasNoIndex: layout.hasNoIndex,
    previewNames: layout.previewNames,
  });
  const all: Splice[] = [{ start: early, end: early, text: parts.added }];
  const script = acceptedScript(head, layout);
  const lastTitle = title === undefined && fallback !== undefined ? titleTag(fallback) : '';
  all.push({ start: late, end: late, text: script + lastTitle });
  if (title !== undefined && fallback !== undefined) all.push({ ...title, text: fallback });
  if (title !== undefined && parts.title !== undefined) all.push({ ...title, text: parts.title });
  if (parts.description !== undefined) {
    const { description } = parts;
    all.push(...descriptions.map((span, at) => ({ ...span, text: at === 0 ? description : '' })));
  }
  return all;
}

/**
 * The script, unless the page's own policy refuses it: the browser would write an error to the
 * console.
 */
function acceptedScript({ script }: PageHead, { policies }: HeadLayout): string {
  if (script === undefined) return '';
  return policies.some((policy) => refusesScript(policy, script)) ? '' : scriptTag(script);
}

/**
 * The project's title for a page that has none, escaped. A page that has one anywhere keeps it,
 * because browsers show the first title of a page.
 */
function fallbackTitle(text: string, layout: HeadLayout, head: PageHead): string | undefined {
  if (head.fallbackTitle === undefined || !layout.isWhole) return undefined;
  const { title } = layout;
  const isBlank = title === undefined || /^[\t\n\f\r ]*$/.test(text.slice(title.start, title.end));
  if (!isBlank || hasTitleInBody(text, layout.late)) return undefined;
  return escapeToAscii(head.fallbackTitle);
}

function applySplices(source: Buffer, inOrder: readonly Splice[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const { start, end, text } of inOrder) {
    pieces.push(source.subarray(at, start), Buffer.from(text, 'latin1'));
    at = end;
  }
  return Buffer.concat([...pieces, source.subarray(at)]);
}

/** The tags that the head of the page already has. */
interface ExistingHead {
  /** The source of its title, one character for each byte. */
  title: string | undefined;
  hasDescription: boolean;
  hasNoIndex: boolean;
  previewNames: ReadonlySet<string>;
}

/** Markup for a page's head: `title` and `description` replace the page's, `added` is inserted. */
interface HeadMarkup {
  added: string;
  title?: string;
  description?: string;
}

/**
 * The markup of a head. Existing tags of the page are replaced in place, so that no tag occurs
 * twice.
 */
function headMarkup(head: PageHead, page: ExistingHead): HeadMarkup {
  const { title, description, preview } = head;
  const titleText = title === undefined ? undefined : escapeToAscii(title);
  const descriptionTag =
    description === undefined ? undefined : meta('name', 'description', escapeToAscii(description));
  const added = [
    titleText !== undefined && page.title === undefined && titleTag(titleText),
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

function titleTag(text: string): string {
  return `<title>${text}</title>`;
}

/** The URL is absolute because a page's `<base>` may point elsewhere. */
function scriptTag(url: string): string {
  return `<script src="${escapeToAscii(url)}" async></script>`;
}

/** Tags for link previews, except those that the page has itself. */
function previewTags(preview: LinkPreview, head: PageHead, page: ExistingHead): string {
  const title = head.title === undefined ? undefined : escapeToAscii(head.title);
  const tags: [kind: 'property' | 'name', name: string, content: string | undefined][] = [
    ['property', 'og:title', title ?? quotableTitle(page.title) ?? escapeToAscii(preview.title)],
    [
      'property',
      'og:description',
      head.description === undefined ? undefined : escapeToAscii(head.description),
    ],
    ['property', 'og:type', 'website'],
    ['property', 'og:url', escapeToAscii(preview.url)],
    ['property', 'og:site_name', escapeToAscii(preview.title)],
    ['name', 'twitter:card', 'summary'],
  ];
  const missing = tags.flatMap(([kind, name, content]) =>
    content === undefined || page.previewNames.has(name) ? [] : [meta(kind, name, content)],
  );
  const { oEmbedUrl } = preview;
  if (oEmbedUrl !== undefined) {
    missing.push(
      `<link rel="alternate" type="application/json+oembed" href="${escapeToAscii(oEmbedUrl)}">`,
    );
  }
  return missing.join('');
}

function meta(kind: 'property' | 'name', name: string, content: string): string {
  return `<meta ${kind}="${name}" content="${content}">`;
}

const maxTitleLength = 1000;

/** The page's own title as an attribute value, in its own bytes; `undefined` where it is blank or too long. */
function quotableTitle(title: string | undefined): string | undefined {
  const text = title?.replaceAll(/[\t\n\f\r ]+/g, ' ').trim() ?? '';
  return text === '' || text.length > maxTitleLength ? undefined : text.replaceAll('"', '&quot;');
}

/** SVG and MathML elements that contain other such elements; browsers read no HTML in them. */
const drawingElements = new Set(
  'svg g path circle rect ellipse line polyline polygon text tspan defs use symbol mask clippath lineargradient radialgradient stop title'.split(
    ' ',
  ),
);

/**
 * Whether the page has a title below its head, where browsers accept it too. The `<title>` of an
 * SVG drawing does not count. In doubt the result is true, and the page stays unchanged: anything
 * unusual in a drawing counts as its end, and text that only looks like a title counts as one, for
 * example in a script.
 *
 * @param text one character for each byte
 * @param start where the head ends
 */
function hasTitleInBody(text: string, start: number): boolean {
  let drawings = 0;
  for (const [token, slash = '', written = ''] of text
    .slice(start)
    .matchAll(/<(\/?)([a-z][^\t\n\f\r />]*)|-->/gi)) {
    const name = written.toLowerCase();
    if (name === 'title' && slash === '' && drawings === 0) return true;
    if (token === '-->' || !drawingElements.has(name)) drawings = 0;
    else if (name === 'svg') drawings = Math.max(0, drawings + (slash === '' ? 1 : -1));
  }
  return false;
}
