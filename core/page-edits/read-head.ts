import { RewritingStream } from 'parse5-html-rewriting-stream';

/** Offsets into a page: `start` is the first, `end` the one after the last. */
export interface Span {
  start: number;
  end: number;
}

/** The existing contents of a page's head, and the position for insertions. */
export interface HeadLayout {
  /** Early in the head, but after the page's encoding declaration. */
  early: number;
  /** The end of the head, or of the part of it that was read. */
  late: number;
  title?: Span;
  /** Whether the head was read to its end; a longer one than the limit may have a title further on. */
  isWhole: boolean;
  /** The tags of its descriptions. */
  descriptions: Span[];
  hasNoIndex: boolean;
  /** Its policies, in lowercase. */
  policies: string[];
  /** Names of its Open Graph and Twitter tags, in lowercase. */
  previewNames: Set<string>;
}

interface StartTag {
  tagName: string;
  attrs: readonly { name: string; value: string }[];
}

/** A head is read up to this length. */
const maxHeadLength = 512 * 1024;
/** And up to so many tags, attributes, comments and texts together: each of them takes time at every view. */
const maxHeadParts = 5000;
/**
 * Most heads fit into one. Reading stops at the end of the head, because a body is expensive to
 * read.
 */
const pieceLength = 4 * 1024;

/**
 * Reads a page's head as a browser does: which tags belong to it, and where it ends without an end
 * tag (WHATWG HTML §13.2.6.4, insertion modes "before html" to "after head").
 *
 * @param text one character for each byte, so that offsets are those of the bytes
 * @param start the offset to begin at
 */
export function readHead(text: string, start: number): HeadLayout {
  const tokens = new HtmlTokenizer();
  const reader = new HeadReader(text, start);
  tokens.on('doctype', ({ sourceCodeLocation }) =>
    reader.commentOrDoctype(spanOf(sourceCodeLocation)),
  );
  tokens.on('comment', ({ sourceCodeLocation }) =>
    reader.commentOrDoctype(spanOf(sourceCodeLocation)),
  );
  tokens.on('text', ({ sourceCodeLocation }) => reader.text(spanOf(sourceCodeLocation)));
  tokens.on('startTag', (tag) => reader.startTag(tag, spanOf(tag.sourceCodeLocation)));
  tokens.on('endTag', (tag) => reader.endTag(tag.tagName, spanOf(tag.sourceCodeLocation)));
  reader.onDone = () => tokens.stop();
  const limit = Math.min(text.length, start + maxHeadLength);
  const mayGoOn = () => !reader.isDone && reader.parts + tokens.attributesSoFar() <= maxHeadParts;
  let at = start;
  for (; at < limit && mayGoOn(); at += pieceLength) {
    tokens.feed(text.slice(at, Math.min(at + pieceLength, limit)), false);
  }
  const isWhole = at >= text.length;
  if (isWhole && !reader.isDone) tokens.feed('', true);
  return { ...reader.layout(), isWhole: reader.isDone || isWhole };
}

function spanOf(location: { startOffset: number; endOffset: number } | null | undefined): Span {
  return { start: location?.startOffset ?? 0, end: location?.endOffset ?? 0 };
}

const voidElements = new Set(['base', 'basefont', 'bgsound', 'link', 'meta']);
/** Elements of a head whose content is text, even if it looks like tags. */
const textElements = new Set(['title', 'noscript', 'noframes', 'style', 'script']);
/** End tags that close an open head; all others are ignored there. */
const headEndTags = new Set(['body', 'html', 'br']);

/** Whether a doctype or a comment has an end, and was not cut off by the end of the page (§13.2.5.43). */
function isClosed(markup: string): boolean {
  if (!markup.startsWith('<!--')) return markup.endsWith('>');
  const rest = markup.slice('<!--'.length);
  return rest === '>' || rest === '->' || rest.endsWith('-->') || rest.endsWith('--!>');
}

/** White space, and the end tag without a name, which browsers ignore (§13.2.5.7). */
const blank = /^(?:[\t\n\f\r ]|<\/>)*/;

function policyOf({ attrs }: StartTag): string[] {
  const values = new Map(attrs.map(({ name, value }) => [name, value.trim().toLowerCase()]));
  const isPolicy = values.get('http-equiv') === 'content-security-policy';
  return isPolicy ? [values.get('content') ?? ''] : [];
}

class HeadReader {
  isDone = false;
  /** Tags, attributes, comments and texts that were read. */
  parts = 0;
  /** Called once, when nothing more of the page matters. */
  onDone?: () => void;

  private readonly source: string;
  private readonly base: number;
  private phase: 'before' | 'in' | 'after' = 'before';
  private early: number | undefined;
  private late: number | undefined;
  /** The end of the last token between two nodes of the head. */
  private boundary: number;
  /** The element whose text is being read. */
  private open: { name: string; tag: Span } | undefined;
  private hasEncoding = false;
  private title: Span | undefined;
  private readonly descriptions: Span[] = [];
  private readonly policies: string[] = [];
  private hasNoIndex = false;
  private readonly previewNames = new Set<string>();

  constructor(source: string, base: number) {
    this.source = source;
    this.base = base;
    this.boundary = base;
  }

  /** The layout, once the head, the page or the limit has been reached. */
  layout(): Omit<HeadLayout, 'isWhole'> {
    const boundary = this.open === undefined ? this.boundary : this.open.tag.start;
    const late = this.late ?? boundary;
    return {
      early: this.early ?? late,
      late,
      ...(this.title !== undefined && { title: this.title }),
      descriptions: this.descriptions,
      policies: this.policies,
      hasNoIndex: this.hasNoIndex,
      previewNames: this.previewNames,
    };
  }

  /** A doctype or a comment. Nothing can be inserted after one that the end of the page cuts off. */
  commentOrDoctype(span: Span): void {
    this.parts += 1;
    if (this.isDone) return;
    const { start, end } = this.inPage(span);
    if (isClosed(this.source.slice(start, end))) this.boundary = end;
  }

  text(span: Span): void {
    this.parts += 1;
    if (this.isDone || this.open !== undefined) return;
    const { start, end } = this.inPage(span);
    const white = blank.exec(this.source.slice(start, end))?.[0].length ?? 0;
    this.boundary = start + white;
    if (start + white < end) this.endHead(start + white);
  }

  startTag(tag: StartTag, span: Span): void {
    this.parts += 1 + tag.attrs.length;
    if (this.isDone) return;
    const { start, end } = this.inPage(span);
    const name = tag.tagName;
    if (name === 'head') this.beginHead(end);
    else if (textElements.has(name) && !(name === 'noscript' && this.phase === 'after')) {
      this.beginHead(start);
      this.open = { name, tag: { start, end } };
    } else if (voidElements.has(name)) {
      this.beginHead(start);
      if (name === 'meta') this.meta(tag, { start, end });
      if (name === 'meta') this.policies.push(...policyOf(tag));
    } else if (name !== 'html') {
      this.endHead(start);
      return;
    }
    this.boundary = end;
  }

  endTag(name: string, span: Span): void {
    // Its attributes mean nothing, but are read.
    this.parts += 1 + Math.floor((span.end - span.start) / 8);
    if (this.isDone) return;
    const { start, end } = this.inPage(span);
    if (this.open !== undefined) this.close(start);
    else if (name === 'head') {
      this.beginHead(start);
      this.late ??= start;
      this.phase = 'after';
    } else if (headEndTags.has(name)) {
      this.endHead(start);
      return;
    }
    this.boundary = end;
  }

  private close(start: number): void {
    const { name, tag } = this.open ?? {};
    if (name === 'title' && tag !== undefined) this.title ??= { start: tag.end, end: start };
    this.open = undefined;
  }

  private meta({ attrs }: StartTag, span: Span): void {
    const values = new Map(attrs.map(({ name, value }) => [name, value.trim().toLowerCase()]));
    const name = values.get('name') ?? '';
    const label = values.get('property') ?? name;
    const declares = values.has('charset') || values.get('http-equiv') === 'content-type';
    if (name === 'description') this.descriptions.push(span);
    if (name === 'robots' && /\b(?:noindex|none)\b/.test(values.get('content') ?? '')) {
      this.hasNoIndex = true;
    }
    if (/^(?:og|twitter):/.test(label)) this.previewNames.add(label);
    if (declares && this.phase === 'in' && !this.hasEncoding) {
      this.hasEncoding = true;
      this.early = span.end;
    }
  }

  private beginHead(at: number): void {
    if (this.phase !== 'before') return;
    this.early = at;
    this.phase = 'in';
  }

  /** Ends the head, because something came that cannot be part of one. */
  private endHead(at: number): void {
    this.early ??= at;
    this.late ??= at;
    this.isDone = true;
    this.onDone?.();
  }

  private inPage({ start, end }: Span): Span {
    return { start: start + this.base, end: end + this.base };
  }
}

/** A tokenizer that is fed synchronously: as a stream it would emit its tokens later. */
export class HtmlTokenizer extends RewritingStream {
  feed(text: string, isLast: boolean): void {
    this.tokenizer.write(text, isLast);
  }

  /** The number of attributes of a tag whose end was not fed yet. */
  attributesSoFar(): number {
    const token = this.tokenizer['currentToken'];
    return token !== null && 'attrs' in token ? token.attrs.length : 0;
  }
}
