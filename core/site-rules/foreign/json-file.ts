import { listOf } from '../../json.ts';
import { getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { fieldOf, type RuleCollector, textOf } from './foreign-rules.ts';

const maxDepth = 50;

/** One item of a list of a JSON file, and the line on which it begins. */
export interface JsonItem {
  line: number;
  value: unknown;
}

/** An object of a JSON file, with the lines of what it has. */
export interface JsonObject {
  value: unknown;
  /** The items of a list; the whole value as one item if it is no list. */
  items(name: string): JsonItem[];
  /** The line of a field; undefined if there is none. */
  lineOf(name: string): number | undefined;
  /** The objects of a field that has one object, or a list of them. */
  objects(name: string): JsonObject[];
}

/** Reads JSON with comments. Undefined, with a warning, where it is no object or is nested too deeply. */
export function readJsonFile(text: string, { warn }: RuleCollector): JsonObject | undefined {
  if (depthOf(text) > maxDepth) {
    warn(1, '', 'The file is nested too deeply and was not read.');
    return undefined;
  }
  const lineAt = lineFinder(text);
  const errors: ParseError[] = [];
  const root = parseTree(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined || root?.type !== 'object') {
    warn(lineAt(error?.offset ?? 0), '', 'The file is not a JSON object and was not read.');
    return undefined;
  }
  return jsonObject(root, lineAt);
}

/** Brackets within texts count too: the files that this is for have hardly any. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function jsonObject(node: Node, lineAt: LineFinder): JsonObject {
  const fields = new Map(
    (node.children ?? []).map(({ children: [key, value] = [] }) => [String(key?.value), value]),
  );
  const nodesOf = (name: string): Node[] => {
    const field = fields.get(name);
    if (field === undefined) return [];
    return field.type === 'array' ? (field.children ?? []) : [field];
  };
  return {
    value: getNodeValue(node),
    items: (name) =>
      nodesOf(name).map((one) => ({ line: lineAt(one.offset), value: getNodeValue(one) })),
    lineOf(name) {
      const field = fields.get(name);
      return field && lineAt(field.offset);
    },
    objects: (name) =>
      nodesOf(name).flatMap((one) => (one.type === 'object' ? [jsonObject(one, lineAt)] : [])),
  };
}

type LineFinder = (offset: number) => number;

/** Finds lines by offsets, the first line being 1. */
function lineFinder(text: string): LineFinder {
  const ends = Array.from(text.matchAll(/\n/g), ({ index }) => index);
  return (offset) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}

/** The `headers` of a rule: a list of objects with `key` and `value`. */
export function headersOf({ value }: JsonItem): (readonly [string, string])[] {
  return listOf(fieldOf(value, 'headers')).map(
    (one) => [textOf(one, 'key'), textOf(one, 'value')] as const,
  );
}

/** Warns of the fields that have no effect here, with what to do instead of each. */
export function warnOfFields(
  { warn }: RuleCollector,
  config: JsonObject,
  messages: Readonly<Record<string, string>>,
): void {
  for (const [name, message] of Object.entries(messages)) {
    const line = config.lineOf(name);
    if (line !== undefined && fieldOf(config.value, name) !== false) warn(line, name, message);
  }
}
