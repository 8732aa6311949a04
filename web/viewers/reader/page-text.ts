import {
  attributeOf,
  decodeXml,
  elementsOf,
  localName,
  textIn,
  type XmlElement,
} from '../parts/xml-tree.ts';
import { type Block, type Run, textOfRuns } from './blocks.ts';

type Look = Pick<Run, 'isBold' | 'isItalic' | 'href'>;

const skipped = new Set(
  'head script style template rt rp noscript annotation annotation-xml'.split(' '),
);
const ends = new Set(
  'address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr main nav p section summary'.split(
    ' ',
  ),
);

/** Characters 160 to 255 by their names in HTML, and the signs of printed texts (HTML, section 13.5). */
const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest ' +
  'Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig ' +
  'agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
const signs =
  'mdash:2014 ndash:2013 hellip:2026 lsquo:2018 rsquo:2019 ldquo:201c rdquo:201d sbquo:201a bdquo:201e bull:2022 euro:20ac trade:2122 ensp:2002 emsp:2003 thinsp:2009 oelig:153 OElig:152 dagger:2020 prime:2032 minus:2212 zwnj:200c';
const characters = new Map<string, string>([
  ...latin.split(' ').map((name, at) => [name, String.fromCharCode(160 + at)] as const),
  ...signs.split(' ').map((sign) => {
    const [name = '', code = ''] = sign.split(':');
    return [name, String.fromCharCode(Number.parseInt(code, 16))] as const;
  }),
]);

/** Text with the names that HTML gives to characters replaced, but for those of XML. */
export function withNamedCharacters(text: string): string {
  return text.replace(/&(\w+);/g, (whole, name: string) => characters.get(name) ?? whole);
}

/** Pictures in base64, each decoded once however often it is shown. */
export function base64Pictures(textAt: (href: string) => string | undefined) {
  const decoded = new Map<string, Uint8Array<ArrayBuffer> | undefined>();
  return (href: string): Uint8Array<ArrayBuffer> | undefined => {
    if (!decoded.has(href)) decoded.set(href, decodeBase64(textAt(href)));
    return decoded.get(href);
  };
}

function decodeBase64(text: string | undefined): Uint8Array<ArrayBuffer> | undefined {
  try {
    return text === undefined ? undefined : Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Reads the text of a page of HTML or XHTML without its styles and scripts. */
export class PageReader {
  readonly #bytesAt: (href: string) => Uint8Array<ArrayBuffer> | undefined;
  #blocks: Block[] = [];
  #runs: Run[] = [];
  #level = 0;
  /** What the last item of each open list has as its number; `undefined` in a list without numbers. */
  #numbers: (number | undefined)[] = [];
  /** That of the item that begins here. */
  #number: number | undefined;

  constructor(bytesAt: (href: string) => Uint8Array<ArrayBuffer> | undefined) {
    this.#bytesAt = bytesAt;
  }

  blocksIn(element: XmlElement): Block[] {
    const outer = { blocks: this.#blocks, runs: this.#runs, level: this.#level };
    this.#blocks = [];
    this.#runs = [];
    this.#level = 0;
    this.#children(element, {});
    this.#end();
    const made = this.#blocks;
    this.#blocks = outer.blocks;
    this.#runs = outer.runs;
    this.#level = outer.level;
    return made;
  }

  #children({ children }: XmlElement, look: Look): void {
    for (const child of children) {
      if (typeof child === 'string') this.#text(child, look);
      else this.#element(child, look);
    }
  }

  #text(text: string, look: Look): void {
    const shown = decodeXml(withNamedCharacters(text)).replace(/[ \t\r\n]+/g, ' ');
    if (shown !== '') this.#runs.push({ text: shown, ...look });
  }

  #element(element: XmlElement, look: Look): void {
    const name = localName(element).toLowerCase();
    if (skipped.has(name)) return;
    if (name === 'br') this.#runs.push({ text: '\n' });
    else if (/^im(?:g|age)$/.test(name)) this.#picture(element);
    else if (name === 'table') this.#table(element);
    else if (name === 'pre') this.#lines(element);
    else if (name === 'li') this.#item(element, look);
    else if (/^[ou]l$/.test(name)) this.#list(element, look, name === 'ol');
    else if (ends.has(name)) this.#block(element, look, Number(/^h([1-6])$/.exec(name)?.[1] ?? 0));
    else this.#children(element, lookOf(element, name, look));
  }

  #lines(element: XmlElement): void {
    this.#end();
    const text = textIn(element);
    if (text.trim() !== '') this.#blocks.push({ kind: 'lines', text });
  }

  #block(element: XmlElement, look: Look, heading: number): void {
    this.#end();
    this.#children(element, look);
    this.#end(heading);
  }

  #list(element: XmlElement, look: Look, isNumbered: boolean): void {
    this.#end();
    const start = Number(attributeOf(element, 'start') ?? 1) || 1;
    this.#numbers.push(isNumbered ? start - 1 : undefined);
    this.#children(element, look);
    this.#end();
    this.#numbers.pop();
  }

  #item(element: XmlElement, look: Look): void {
    this.#end();
    const last = this.#numbers.pop();
    this.#number = last === undefined ? undefined : last + 1;
    this.#numbers.push(this.#number);
    this.#level += 1;
    this.#children(element, look);
    this.#end();
    this.#level -= 1;
  }

  #end(heading = 0): void {
    const runs = this.#runs;
    this.#runs = [];
    if (textOfRuns(runs).trim() === '') return;
    if (heading > 0) this.#blocks.push({ kind: 'heading', level: heading, runs });
    else if (this.#level > 0)
      this.#blocks.push({
        kind: 'item',
        level: Math.min(9, this.#level),
        number: this.#number,
        runs,
      });
    else this.#blocks.push({ kind: 'paragraph', runs });
    this.#number = undefined;
  }

  #picture(element: XmlElement): void {
    const bytes = this.#bytesAt(attributeOf(element, 'src') ?? attributeOf(element, 'href') ?? '');
    const words = attributeOf(element, 'alt') ?? '';
    if (bytes === undefined) return this.#text(words, {});
    this.#end();
    this.#blocks.push({ kind: 'picture', bytes, words });
  }

  #table(table: XmlElement): void {
    this.#end();
    const rows = rowsOf(table).map((row) =>
      elementsOf(row)
        .filter((cell) => /^t[hd]$/i.test(localName(cell)))
        .map((cell) => this.blocksIn(cell)),
    );
    if (rows.length > 0) this.#blocks.push({ kind: 'table', rows });
  }
}

function rowsOf(table: XmlElement): XmlElement[] {
  return elementsOf(table).flatMap((one) => {
    const name = localName(one).toLowerCase();
    if (name === 'tr') return [one];
    return /^t(?:head|body|foot)$/.test(name) ? rowsOf(one) : [];
  });
}

/** Links lead to other sites only: those within a book would need its files. */
function lookOf(element: XmlElement, name: string, look: Look): Look {
  if (name === 'b' || name === 'strong') return { ...look, isBold: true };
  if (name === 'i' || name === 'em' || name === 'cite') return { ...look, isItalic: true };
  const href = name === 'a' ? attributeOf(element, 'href') : undefined;
  return href === undefined ? look : { ...look, href };
}
