/** What is read of an element of a drawing. */
export interface DrawingElement {
  id: string | undefined;
  /** The id of the element that a `use` stands for. */
  uses: string | undefined;
  /** Indexes of elements. */
  children: number[];
}

/** The elements of a drawing in their order; the first one is the root. */
export interface DrawingElements {
  elements: DrawingElement[];
  /**
   * Whether elements may come from entities that the file declares. They are not read if they contain
   * markup or other entities.
   */
  isFromEntities: boolean;
}

/** What may follow a `<` and is no element, and how it ends (XML 1.0, sections 2.5 to 2.8). */
const others: readonly (readonly [start: string, end: string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];

/**
 * Reads the elements of an SVG in one pass, up to the first place that is not well-formed.
 *
 * @throws RangeError for names of many thousand characters with entities in them
 */
export function readElements(svg: string): DrawingElements {
  const elements: DrawingElement[] = [];
  const open: DrawingElement[] = [];
  const entities = new Map<string, string>();
  for (let at = svg.indexOf('<'); at >= 0; at = svg.indexOf('<', at)) {
    const other = others.find(([start]) => svg.startsWith(start, at));
    const end = other === undefined ? endOfTag(svg, at) : endOf(svg, other[1], at);
    const tag = svg.slice(at, end);
    at = end;
    if (other !== undefined) continue;
    if (tag.startsWith('<!')) {
      for (const [, name = '', quoted = ''] of tag.matchAll(entityPattern)) {
        entities.set(name, quoted.slice(1, -1));
      }
    } else if (tag.startsWith('</')) open.pop();
    else {
      const element = elementOf(tag, entities);
      open.at(-1)?.children.push(elements.length);
      elements.push(element);
      if (!tag.endsWith('/>')) open.push(element);
    }
  }
  // The entities of Adobe Illustrator are addresses of namespaces, without markup.
  const isFromEntities = [...entities].some(([name, value]) => name === '%' || /[<&]/.test(value));
  return { elements, isFromEntities };
}

const entityPattern = /<!ENTITY\s+([^\s%"']+|%)\s+("[^"]*"|'[^']*'|)/g;
/** A name begins behind a space, so that a long one is not tried again at each of its characters. */
const attributePattern = /(?<=[\s"'])([^\s=/"'<]+)\s*=\s*("[^"]*"|'[^']*')/g;

function endOf(svg: string, end: string, from: number): number {
  const at = svg.indexOf(end, from);
  return at < 0 ? svg.length : at + end.length;
}

/** A tag ends at the first `>` outside quotes, and a document type outside brackets too. */
function endOfTag(svg: string, from: number): number {
  let quote = '';
  let brackets = 0;
  const hasBrackets = svg.startsWith('<!', from);
  for (let at = from; at < svg.length; at += 1) {
    const character = svg.charAt(at);
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (hasBrackets && character === '[') brackets += 1;
    else if (hasBrackets && character === ']') brackets -= 1;
    else if (character === '>' && brackets === 0) return at + 1;
  }
  return svg.length;
}

function elementOf(tag: string, entities: ReadonlyMap<string, string>): DrawingElement {
  const name = /^<([^\s/>]*)/.exec(tag)?.[1] ?? '';
  const attributes = new Map<string, string>();
  for (const [, attribute = '', quoted = ''] of tag.matchAll(attributePattern)) {
    const local = attribute.slice(attribute.indexOf(':') + 1);
    const isNew = !attributes.has(local) || attribute === local;
    if (isNew) attributes.set(local, quoted.slice(1, -1));
  }
  const valueOf = (attribute: string) => {
    const value = attributes.get(attribute);
    return value === undefined ? undefined : resolved(value, entities);
  };
  const isUse = name.slice(name.indexOf(':') + 1) === 'use';
  return { id: valueOf('id'), uses: isUse ? idIn(valueOf('href')) : undefined, children: [] };
}

function idIn(href = ''): string | undefined {
  const at = href.indexOf('#');
  if (at < 0) return undefined;
  const id = href.slice(at + 1).trim();
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** Of a value with entities; longer ones are no names. */
const mostCharacters = 10_000;

/** A value with its entities and the numbers of characters resolved (XML 1.0, section 4.4). */
function resolved(value: string, entities: ReadonlyMap<string, string>): string {
  if (!value.includes('&')) return value;
  if (value.length > mostCharacters) throw new RangeError('a name is too long');
  return value.replaceAll(
    /&(#x?)?([^;&\s]+);/gi,
    (all, number: string | undefined, name: string) => {
      if (number === undefined) return entities.get(name) ?? all;
      const code = Number.parseInt(name, number.length > 1 ? 16 : 10);
      return code <= 0x10_ffff ? String.fromCodePoint(code) : all;
    },
  );
}
