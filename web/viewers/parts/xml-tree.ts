import { ViewerError } from './fetch-file.ts';

/** An element of XML as it is written: names with their prefix, attributes and texts with their entities. */
export interface XmlElement {
  name: string;
  /** With the space before each attribute. */
  attributes: string;
  children: XmlNode[];
}

export type XmlNode = XmlElement | string;

/** Deeper files are made to exhaust a stack. */
const mostDepth = 2000;

/**
 * Reads XML into a tree whose root holds what the text holds. Comments, instructions and document types
 * are left out, and no entity is expanded. Forgiving: an end without a start is ignored. It runs where there is no
 * `DOMParser`, which workers lack.
 * @throws ViewerError if elements are nested too deeply
 */
export function parseXml(text: string): XmlElement {
  const root: XmlElement = { name: '', attributes: '', children: [] };
  const open = [root];
  let at = 0;
  while (at < text.length) {
    const start = text.indexOf('<', at);
    const top = open.at(-1) ?? root;
    if (start !== at) top.children.push(text.slice(at, start === -1 ? text.length : start));
    if (start === -1) break;
    const data = skippedData(text, start);
    if (data !== undefined) {
      if (data.text !== '') top.children.push(data.text);
      at = data.end;
      continue;
    }
    const end = endOfTag(text, start);
    readTag(text.slice(start + 1, end), open);
    if (open.length > mostDepth)
      throw new ViewerError('The file is nested too deeply to show here.');
    at = end + 1;
  }
  return root;
}

/** Comments, instructions and declarations hold no text; a CDATA section does (XML 1.0, section 2.7). */
function skippedData(text: string, start: number): { text: string; end: number } | undefined {
  const next = text[start + 1];
  if (next !== '!' && next !== '?') return undefined;
  const isData = text.startsWith('<![CDATA[', start);
  const mark = isData ? ']]>' : text.startsWith('<!--', start) ? '-->' : next === '?' ? '?>' : '>';
  const found = text.indexOf(mark, start + 2);
  const close = found === -1 ? text.length : found;
  return { text: isData ? escapeXml(text.slice(start + 9, close)) : '', end: close + mark.length };
}

/** Values of attributes may hold `>`. */
function endOfTag(text: string, start: number): number {
  let at = start;
  for (;;) {
    const end = text.indexOf('>', at);
    if (end === -1) return text.length;
    const quote = /["']/.exec(text.slice(at, end))?.[0];
    if (quote === undefined) return end;
    const first = text.indexOf(quote, at);
    const last = text.indexOf(quote, first + 1);
    if (last === -1) return end;
    at = last + 1;
  }
}

function readTag(tag: string, open: XmlElement[]): void {
  if (tag.startsWith('/')) {
    const name = tag.slice(1).trim();
    const index = open.findLastIndex((element) => element.name === name);
    if (index > 0) open.length = index;
    return;
  }
  const isEmpty = tag.endsWith('/');
  const [name = ''] = /^[^\s/]+/.exec(tag) ?? [];
  const attributes = tag.slice(name.length, isEmpty ? -1 : undefined).trimEnd();
  const element: XmlElement = { name, attributes, children: [] };
  open.at(-1)?.children.push(element);
  if (!isEmpty) open.push(element);
}

/** The tree as XML again. */
export function writeXml(nodes: readonly XmlNode[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node;
      const { name, attributes, children } = node;
      if (name === '') return writeXml(children);
      return children.length === 0
        ? `<${name}${attributes}/>`
        : `<${name}${attributes}>${writeXml(children)}</${name}>`;
    })
    .join('');
}

/** The name without its prefix. */
export function localName({ name }: XmlElement): string {
  return name.slice(name.indexOf(':') + 1);
}

/** The child elements, of a name without its prefix if one is given. */
export function elementsOf({ children }: XmlElement, name?: string): XmlElement[] {
  return children.filter(
    (child): child is XmlElement =>
      typeof child !== 'string' && (name === undefined || localName(child) === name),
  );
}

/** All elements below one that have a name without its prefix, in the order of the text. */
export function descendantsOf(element: XmlElement, name: string): XmlElement[] {
  return elementsOf(element).flatMap((child) => [
    ...(localName(child) === name ? [child] : []),
    ...descendantsOf(child, name),
  ]);
}

/** The value of an attribute by its name without a prefix. */
export function attributeOf({ attributes }: XmlElement, name: string): string | undefined {
  const found = new RegExp(`[\\s:]${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes);
  const value = found?.[1] ?? found?.[2];
  return value === undefined ? undefined : decodeXml(value);
}

/** The text of an element and of all below it. */
export function textIn({ children }: XmlElement): string {
  return children
    .map((node) => (typeof node === 'string' ? decodeXml(node) : textIn(node)))
    .join('');
}

const named: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
};

/** Text with its five entities and its character references decoded (XML 1.0, sections 4.1 and 4.6). */
export function decodeXml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return named[String(name)] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Text as it is written in XML. */
export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
