/** A value in a text of JSON. */
export interface JsonPart {
  /** The place of its first character. */
  start: number;
  /** Its name in an object, or its number in a list. */
  name?: string;
}

/** Children of one value that are kept, characters that are shown, and values that are read to count children. */
const most = {
  children: 20_000,
  characters: 2000,
  preview: 80,
  path: 200,
  counted: 50_000,
} as const;

/** Where the tokens of well-formed JSON begin and end (RFC 8259, section 2). */
function* tokensFrom(text: string, from: number): Generator<readonly [start: number, end: number]> {
  const scalar = /[^\s,:{}[\]"]*/y;
  const space = /\s*/y;
  let at = from;
  while (at < text.length) {
    space.lastIndex = at;
    space.test(text);
    at = space.lastIndex;
    const start = at;
    if (text[at] === '"') at = endOfString(text, at);
    else {
      scalar.lastIndex = at;
      scalar.test(text);
      at = Math.max(at + 1, scalar.lastIndex);
    }
    if (start < text.length) yield [start, at];
  }
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
}

/** A list or an object around a value. */
interface Level {
  isList: boolean;
  /** The number of the value in it. */
  index: number;
  /** The name of the value in it, as it stands in the text. */
  name: string;
}

/** The value that begins at a place, and all values in it, each with the levels around it. */
function* valuesFrom(
  text: string,
  from: number,
): Generator<{ start: number; end: number; around: readonly Level[] }> {
  const around: Level[] = [];
  let isName = false;
  for (const [start, end] of tokensFrom(text, from)) {
    const first = text.charAt(start);
    const inside = around.at(-1);
    if (isName && first === '"' && inside?.isList === false) {
      inside.name = text.slice(start, end);
      isName = false;
      continue;
    }
    if (!',:}]'.includes(first)) yield { start, end, around };
    isName = first === '{' || first === ',';
    enter(around, first);
    if (around.length === 0) return;
  }
}

function enter(around: Level[], first: string): void {
  const inside = around.at(-1);
  if (first === '{' || first === '[') around.push({ isList: first === '[', index: 0, name: '""' });
  else if (first === '}' || first === ']') around.pop();
  else if (first === ',' && inside !== undefined) inside.index += 1;
}

function nameIn({ isList, index, name }: Level): string {
  return isList ? String(index) : stringOf(name);
}

/** The values directly in a list or an object: the first ones, how many there are, and how many were read for it. */
export function childrenOf(
  text: string,
  part: JsonPart,
  mostValues = Infinity,
): { children: JsonPart[]; count: number; values: number; isCut: boolean } {
  const children: JsonPart[] = [];
  let count = 0;
  let values = 0;
  for (const { start, around } of valuesFrom(text, part.start)) {
    values += 1;
    if (values > mostValues) return { children, count, values, isCut: true };
    const [level] = around;
    if (level === undefined || around.length > 1) continue;
    if (count < most.children) children.push({ start, name: nameIn(level) });
    count += 1;
  }
  return { children, count, values, isCut: false };
}

function stringOf(token: string): string {
  const value: unknown = JSON.parse(token);
  return String(value);
}

/** How many values a list or an object has, in words. */
export function countOf(text: string, part: JsonPart): string {
  const { count, isCut } = childrenOf(text, part, most.counted);
  const [one, many] = text[part.start] === '[' ? ['item', 'items'] : ['entry', 'entries'];
  if (isCut) return `many ${many}`;
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

/** The first characters of a list or an object. */
export function beginningOf(text: string, { start }: JsonPart): string {
  let end = start;
  let depth = 0;
  for (const [at, next] of tokensFrom(text, start)) {
    if ('{['.includes(text.charAt(at))) depth += 1;
    if ('}]'.includes(text.charAt(at))) depth -= 1;
    end = next;
    if (depth === 0 || end - start > most.preview) break;
  }
  const beginning = text.slice(start, Math.min(end, start + most.preview)).replace(/\s+/g, ' ');
  return depth === 0 && end - start <= most.preview ? beginning : `${beginning} …`;
}

/** Whether a value has values in it. */
export function isOpenable(text: string, { start }: JsonPart): boolean {
  return text[start] === '{' || text[start] === '[';
}

/** A number, text, `true`, `false` or `null` as it stands there; characters that need no escape without one. */
export function shownValue(text: string, part: JsonPart): string {
  if (isOpenable(text, part)) return beginningOf(text, part);
  const { start } = part;
  const [[, end] = [start, start]] = tokensFrom(text, start);
  const token = text.slice(start, end);
  const value = token.startsWith('"') ? JSON.stringify(stringOf(token)) : token;
  return value.length > most.characters ? `${value.slice(0, most.characters)} …` : value;
}

/** Values that have these lower-case letters in them or in their name, each with the way to it. */
export function partsMatching(
  text: string,
  query: string,
  mostFound: number,
): { path: string; part: JsonPart }[] {
  const found: { path: string; part: JsonPart }[] = [];
  for (const { start, end, around } of valuesFrom(text, text.search(/\S/))) {
    const inside = around.at(-1);
    if (inside === undefined) continue;
    const token = text.slice(start, end);
    const value = token.startsWith('"') ? stringOf(token) : token;
    const name = inside.isList ? '' : stringOf(inside.name);
    if (![value, name].some((one) => one.toLowerCase().includes(query))) continue;
    found.push({ path: pathOf(around), part: { start } });
    if (found.length === mostFound) break;
  }
  return found;
}

function pathOf(around: readonly Level[]): string {
  const steps = around
    .slice(-50)
    .map((level) => (level.isList ? `[${level.index}]` : `.${nameIn(level)}`));
  const path = steps.join('').replace(/^\./, '');
  return path.length > most.path ? `… ${path.slice(-most.path)}` : path;
}
