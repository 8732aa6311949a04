interface Node {
  id: string;
  label: string;
  shape: string;
  group: string | undefined;
}

interface Edge {
  from: string;
  to: string;
  attributes: Attributes;
}

type Attributes = Readonly<Record<string, string>>;

interface Group {
  id: string;
  label: string;
  within: string | undefined;
}

/** As many as a diagram is drawn with. */
const most = { characters: 200_000, nodes: 300, edges: 300, groups: 300, depth: 50 } as const;

/**
 * A graph in the language of Graphviz as a flowchart of Mermaid: what is connected stays, where things stand is
 * another program's choice. `undefined` for what is no graph or too large.
 */
export function dotDiagram(text: string): string | undefined {
  if (text.length > most.characters) return undefined;
  const tokens = tokensOf(text);
  const start = tokens[0] === 'strict' ? 1 : 0;
  const kind = tokens[start]?.toLowerCase();
  if (kind !== 'graph' && kind !== 'digraph') return undefined;
  const open = tokens.indexOf('{', start);
  if (open === -1 || open > start + 2) return undefined;
  try {
    const graph = new DotReader(tokens, open + 1);
    graph.readStatements({ node: {}, edge: {}, group: undefined }, 0);
    return graph.nodes.size === 0 ? undefined : flowchartOf(graph, kind === 'digraph');
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** What is not closed goes on to the end: a search that fails there begins again at each place. */
const token =
  /\/\*(?:[^]*?\*\/|[^]*)|(?:\/\/|^[ \t]*#)[^\n]*|"(?:[^"\\]|\\[^]?)*"?|->|--|[{}[\];,=:+]|-?[\w.\u0080-\uFFFF]+|</gm;

/** Words, signs and texts; a text keeps its first quotation mark, so that it is no word of the language. */
function tokensOf(text: string): string[] {
  const found: string[] = [];
  token.lastIndex = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [one] = match;
    if (one === '<') {
      const end = endOfMarkup(text, match.index);
      found.push(`"${wordsOf(text.slice(match.index + 1, end))}`);
      token.lastIndex = end + 1;
    } else if (one.startsWith('"')) found.push(one.slice(0, -1).replaceAll('\\"', '"'));
    else if (!/^\s*(?:\/[/*]|#)/.test(one)) found.push(one);
  }
  return found;
}

function endOfMarkup(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '<') depth += 1;
    if (text[at] === '>') depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}

const wordsOf = (markup: string) =>
  markup
    .replaceAll(/<br[^<>]*>|<\/tr>/gi, '\\n')
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** What statements of a group have in common. */
interface Scope {
  node: Attributes;
  edge: Attributes;
  group: string | undefined;
}

/** Reads the statements of a graph (Graphviz, "DOT Language"). */
class DotReader {
  readonly nodes = new Map<string, Node>();
  readonly edges: Edge[] = [];
  readonly groups: Group[] = [];
  direction = 'TB';
  readonly #tokens: readonly string[];
  #at: number;

  constructor(tokens: readonly string[], at: number) {
    this.#tokens = tokens;
    this.#at = at;
  }

  /** Up to the bracket that closes them; the names of the nodes among them. @throws RangeError if there are too many */
  readStatements(scope: Scope, depth: number): string[] {
    if (depth > most.depth) throw new RangeError('too deep');
    const names: string[] = [];
    for (let next = this.#next(); next !== undefined && next !== '}'; next = this.#next()) {
      if (next === ';' || next === ',') continue;
      if (this.#peek() === '=') this.#set(next, scope);
      else if (next === 'node' || next === 'edge') scope[next] = this.#attributes(scope[next]);
      else if (next === 'graph') {
        for (const [key, value] of Object.entries(this.#attributes()))
          this.#apply(key, value, scope);
      } else names.push(...this.#chain(next, scope, depth));
    }
    return names;
  }

  #next(): string | undefined {
    this.#at += 1;
    return this.#tokens[this.#at - 1];
  }

  #peek(): string | undefined {
    return this.#tokens[this.#at];
  }

  #set(key: string, scope: Scope): void {
    this.#at += 1;
    this.#apply(key, plain(this.#next() ?? ''), scope);
  }

  #apply(key: string, value: string, scope: Scope): void {
    if (key === 'rankdir' && /^(?:TB|BT|LR|RL)$/.test(value)) this.direction = value;
    const group = this.groups.find(({ id }) => id === scope.group);
    if (key === 'label' && group !== undefined) group.label = value;
  }

  #attributes(before: Attributes = {}): Attributes {
    const found = { ...before };
    while (this.#peek() === '[') {
      this.#at += 1;
      for (let key = this.#next(); key !== undefined && key !== ']'; key = this.#next()) {
        if (this.#peek() !== '=') continue;
        this.#at += 1;
        found[plain(key)] = plain(this.#next() ?? '');
      }
    }
    return found;
  }

  /** Nodes or groups with arrows between them. */
  #chain(first: string, scope: Scope, depth: number): string[] {
    const ends = [this.#end(first, scope, depth)];
    while (this.#peek() === '->' || this.#peek() === '--') {
      this.#at += 1;
      ends.push(this.#end(this.#next() ?? '', scope, depth));
    }
    const own = this.#attributes();
    const [only = []] = ends;
    if (ends.length === 1) for (const name of only) this.#describe(name, own);
    const attributes = { ...scope.edge, ...own };
    for (const [index, to] of ends.slice(1).entries()) {
      const starts = ends[index] ?? [];
      if (this.edges.length + starts.length * to.length > most.edges)
        throw new RangeError('too many edges');
      for (const from of starts)
        for (const target of to) this.edges.push({ from, to: target, attributes });
    }
    return ends.flat();
  }

  #end(name: string, scope: Scope, depth: number): string[] {
    if (name === 'subgraph' || name === '{') return this.#group(name, scope, depth);
    while (this.#peek() === ':') this.#at += 2;
    const key = plain(name);
    if (!this.nodes.has(key)) {
      const id = `n${this.nodes.size}`;
      this.nodes.set(key, { id, label: key, shape: 'ellipse', group: scope.group });
      this.#describe(key, scope.node);
      if (this.nodes.size > most.nodes) throw new RangeError('too many nodes');
    }
    return [key];
  }

  #group(first: string, scope: Scope, depth: number): string[] {
    let name = '';
    for (let next: string | undefined = first; next !== undefined && next !== '{'; ) {
      if (next !== 'subgraph') name = plain(next);
      next = this.#next();
    }
    if (this.groups.length > most.groups) throw new RangeError('too many groups');
    const id = `g${this.groups.length}`;
    const isBox = name.startsWith('cluster');
    if (isBox) this.groups.push({ id, label: ' ', within: scope.group });
    return this.readStatements({ ...scope, group: isBox ? id : scope.group }, depth + 1);
  }

  #describe(key: string, { label, shape }: Attributes): void {
    const node = this.nodes.get(key);
    if (node === undefined) return;
    if (label !== undefined) node.label = label.replaceAll('\\N', key);
    if (shape !== undefined) node.shape = shape;
  }
}

const plain = (name: string) => (name.startsWith('"') ? name.slice(1) : name);

/** Signs of Mermaid around the words of a node. */
const shapes: readonly (readonly [RegExp, string, string])[] = [
  [/^(?:double)?circle$|^point$/, '((', '))'],
  [/diamond/i, '{', '}'],
  [/^hexagon$/, '{{', '}}'],
  [/^cylinder$/, '[(', ')]'],
  [/^(?:ellipse|oval|egg)$/, '(', ')'],
];

function flowchartOf(graph: DotReader, isDirected: boolean): string {
  const lines = [`flowchart ${graph.direction}`];
  const addGroup = (within: string | undefined): void => {
    for (const { id, label } of graph.groups.filter((group) => group.within === within)) {
      lines.push(`subgraph ${id}["${quoted(label)}"]`);
      addGroup(id);
      lines.push('end');
    }
    for (const node of graph.nodes.values()) if (node.group === within) lines.push(nodeLine(node));
  };
  addGroup(undefined);
  const idOf = (name: string) => graph.nodes.get(name)?.id ?? '';
  for (const { from, to, attributes } of graph.edges) {
    const { label = '', style = '', dir = isDirected ? 'forward' : 'none' } = attributes;
    const line = /dashed|dotted/.test(style) ? '-.-' : '--';
    const arrow = dir === 'none' ? `${line}-`.slice(0, 3) : `${line}>`;
    lines.push(`${idOf(from)} ${arrow}${label.trim() && `|"${quoted(label)}"|`} ${idOf(to)}`);
  }
  return lines.join('\n');
}

function nodeLine({ id, label, shape }: Node): string {
  const isRecord = /record/i.test(shape);
  const words = isRecord ? label.replaceAll(/<[^<>]*>|[{}]/g, '').replaceAll('|', '\\n') : label;
  const [, open = '[', close = ']'] = isRecord
    ? []
    : (shapes.find(([name]) => name.test(shape)) ?? []);
  return `${id}${open}"${quoted(words)}"${close}`;
}

/** Words between the quotation marks of Mermaid, which writes signs by their numbers. */
function quoted(label: string): string {
  const rows = label
    .split(/\\[nlr]|\n/)
    .map((row) =>
      row.replaceAll('\\\\', '\\').replaceAll(/["#<>&;`]/g, (sign) => `#${sign.codePointAt(0)};`),
    );
  const last = rows.findLastIndex((row) => row !== '');
  return rows.slice(0, last + 1).join('<br/>') || ' ';
}
