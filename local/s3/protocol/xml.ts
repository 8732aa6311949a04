import { escapeXml } from '../../http/service-server.ts';
import { S3Error } from './s3-error.ts';

/** An element to write: its name, and its text or children. */
export type XmlNode = readonly [
  name: string,
  content: string | number | boolean | readonly XmlNode[],
];

/** A parsed element; attributes are dropped, `text` is its direct text. */
export interface XmlElement {
  name: string;
  text: string;
  children: XmlElement[];
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const TOKEN = /<\?[^>]*\?>|<!--[\s\S]*?-->|<(\/?)([A-Za-z_][\w.:-]*)((?:\s[^<>]*?)?)(\/?)>|[^<]+/y;
const MAX_DEPTH = 8;

/** Renders an XML document; control characters become numeric references, as in S3. */
export function renderXml(root: XmlNode, namespace = true): Buffer {
  const [name, content] = root;
  const attribute = namespace ? ' xmlns="http://s3.amazonaws.com/doc/2006-03-01/"' : '';
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<${name}${attribute}>${renderContent(content)}</${name}>`,
  );
}

function renderContent(content: XmlNode[1]): string {
  if (typeof content !== 'object') return escapeText(String(content));
  return content.map(([name, inner]) => `<${name}>${renderContent(inner)}</${name}>`).join('');
}

function escapeText(text: string): string {
  return escapeXml(text)
    .replaceAll('"', '&quot;')
    .replace(/[\p{Cc}\ufffe\uffff]/gu, (c) => `&#x${c.charCodeAt(0).toString(16)};`);
}

/**
 * The root element of a small XML document, or `MalformedXML`.
 *
 * Document types and custom entities are not supported, so that nothing can expand.
 */
export function parseXml(bytes: Buffer): XmlElement {
  const text = decodeUtf8(bytes);
  const top: XmlElement = { name: '', text: '', children: [] };
  const open = [top];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const token = TOKEN.exec(text);
    if (token === null || open.length > MAX_DEPTH) throw new S3Error('MalformedXML');
    applyToken(token, open);
  }
  const [root, ...others] = top.children;
  if (root === undefined || others.length > 0 || open.length > 1 || top.text.trim() !== '') {
    throw new S3Error('MalformedXML');
  }
  return root;
}

function applyToken(token: RegExpExecArray, open: XmlElement[]): void {
  const [whole, slash, name, , selfClosing] = token;
  const current = open.at(-1);
  if (current === undefined) throw new S3Error('MalformedXML');
  if (name === undefined) {
    if (!whole.startsWith('<')) current.text += unescapeText(whole);
  } else if (slash === '/') {
    if (current.name !== name || open.length === 1) throw new S3Error('MalformedXML');
    open.pop();
  } else {
    const element: XmlElement = { name, text: '', children: [] };
    current.children.push(element);
    if (selfClosing !== '/') open.push(element);
  }
}

function unescapeText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(/&([^;&]*);?/g, (whole, name: string) => {
    const numeric = /^#(?:x([0-9a-f]{1,6})|([0-9]{1,7}))$/i.exec(name);
    const known = numeric === null ? ENTITIES[name] : codePoint(numeric);
    if (known === undefined || !whole.endsWith(';')) throw new S3Error('MalformedXML');
    return known;
  });
}

function codePoint([, hex, decimal]: RegExpExecArray): string | undefined {
  const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  const isSurrogate = point >= 0xd800 && point <= 0xdfff;
  return point > 0x10ffff || isSurrogate ? undefined : String.fromCodePoint(point);
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new S3Error('MalformedXML');
  }
}

/** The text of a child element, or `undefined` when there is none. */
export function childText(element: XmlElement, name: string): string | undefined {
  return element.children.find((child) => child.name === name)?.text;
}
