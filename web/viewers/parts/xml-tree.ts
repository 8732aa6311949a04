import { ViewerError } from './fetch-file.ts';

/** An element of XML as it is written: names with their prefix, attributes and texts with their entities. */
export interface XmlElement {
  name: string;
  /** With the space before each attribute. */
  attributes: string;
  children: XmlNode[];
}

export type XmlNode = XmlElement | string;

/** Deeper files are made to exhaust a stack, or to be read once more for each element around an element. */
const mostDepth = 128;

/**
 * Reads XML into a tree whose root holds what the text holds. Comments, instructions and document types
 * are left out, and no entity is expanded. Forgiving: an end without a start is ignored. It runs where there is no
 * `DOMParser`, which workers lack.
 * @throws ViewerError if elements are nested too deeply
 */
export function parseXml(text: string): XmlElement {
  const root: XmlElement = { name: '', attributes: '', children: [] };
  const open = [root];
  const counts = new Map<string, number>();
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
    readTag(text.slice(start + 1, end), { open, counts });
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
  const close = indexOrEnd(text, mark, start + 2);
  return { text: isData ? escapeXml(text.slice(start + 9, close)) : '', end: close + mark.length };
}

/** XML without comments and instructions, and with CDATA sections as texts: then each `<` begins or ends an element. */
export function plainXml(xml: string): string {
  const marks = /<[!?]/g;
  const kept: string[] = [];
  let from = 0;
  // The declaration of XML stays.
  marks.lastIndex = /^<\?xml\s/.test(xml) ? 1 : 0;
  for (let mark = marks.exec(xml); mark !== null; mark = marks.exec(xml)) {
    const data = skippedData(xml, mark.index);
    kept.push(xml.slice(from, mark.index), data?.text ?? '');
    from = data?.end ?? xml.length;
    marks.lastIndex = from;
  }
  return kept.join('') + xml.slice(from);
}

/** Finds where elements begin that have one of these names (`a|b`), whatever prefix they have (Namespaces in XML 1.0 §4). */
export function tagsOf(names: string): RegExp {
  return new RegExp(`<(?:[^\\s<>/:]+:)?(?:${names})(?=[\\s/>])`, 'g');
}

const endOrQuote = /[>"']/g;

/** The place of the `>` that ends a tag: values of attributes may hold others. */
export function endOfTag(text: string, start: number): number {
  endOrQuote.lastIndex = start;
  for (let mark = endOrQuote.exec(text); mark !== null; mark = endOrQuote.exec(text)) {
    const last = mark[0] === '>' ? -1 : text.indexOf(mark[0], mark.index + 1);
    if (last !== -1) endOrQuote.lastIndex = last + 1;
    else return indexOrEnd(text, '>', mark.index);
  }
  return text.length;
}

function indexOrEnd(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found === -1 ? text.length : found;
}

/** @param counts how many elements of each name are open: most ends without a start would be looked for in all of them */
function readTag(
  tag: string,
  { open, counts }: { open: XmlElement[]; counts: Map<string, number> },
): void {
  const count = (name: string, step: number) => counts.set(name, (counts.get(name) ?? 0) + step);
  if (tag.startsWith('/')) {
    const ended = tag.slice(1).trim();
    if ((counts.get(ended) ?? 0) === 0) return;
    const index = open.findLastIndex((element) => element.name === ended);
    for (const { name } of open.splice(index)) count(name, -1);
    return;
  }
  const isEmpty = tag.endsWith('/');
  const [name = ''] = /^[^\s/]+/.exec(tag) ?? [];
  const attributes = tag.slice(name.length, isEmpty ? -1 : undefined).trimEnd();
  const element: XmlElement = { name, attributes, children: [] };
  open.at(-1)?.children.push(element);
  if (isEmpty) return;
  open.push(element);
  count(name, 1);
}

/** The tree as XML again. */
export function writeXml(nodes: readonly XmlNode[]): string {
  const written: string[] = [];
  const write = (node: XmlNode): void => {
    if (typeof node === 'string') return void written.push(node);
    const { name, attributes, children } = node;
    if (name === '') return children.forEach(write);
    if (children.length === 0) return void written.push(`<${name}${attributes}/>`);
    written.push(`<${name}${attributes}>`);
    children.forEach(write);
    written.push(`</${name}>`);
  };
  nodes.forEach(write);
  return written.join('');
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
  const found: XmlElement[] = [];
  const look = (parent: XmlElement): void => {
    for (const child of elementsOf(parent)) {
      if (localName(child) === name) found.push(child);
      look(child);
    }
  };
  look(element);
  return found;
}

/** The value of an attribute by its name without a prefix. */
export function attributeOf(
  { attributes }: Pick<XmlElement, 'attributes'>,
  name: string,
): string | undefined {
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
