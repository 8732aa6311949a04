import type { Element, ElementContent, Root } from 'hast';
import { h, replaceElements, textOf } from './tree.ts';
import { setFormula } from './formulas.ts';
import { parseMarkup } from './sanitize-tree.ts';
import { showPicture } from './pictures.ts';

type Change = (element: Element, ancestors: readonly string[]) => ElementContent;

/** What becomes of an element, by its name. */
const changes: Readonly<Record<string, Change>> = {
  a: markLink,
  blockquote: showAlert,
  img: showPicture,
  li: showTask,
  pre: reachCode,
  table: frameTable,
  th: nameHead,
};

const mostFormulas = 1000;
/** Of the markup of all formulas of a text, which is read once more. */
const mostFormulaChars = 1_500_000;

/** Makes the parts of a sanitized text that GitHub makes: alerts, boxes of tasks, formulas, frames. */
export function dressTree(tree: Root): void {
  const room = { formulas: mostFormulas, chars: mostFormulaChars };
  replaceElements(tree, (element, ancestors) =>
    element.tagName === 'code'
      ? setMath(element, ancestors, room)
      : (changes[element.tagName]?.(element, ancestors) ?? element),
  );
}

function classesOf({ properties }: Element): readonly (string | number)[] {
  return Array.isArray(properties['className']) ? properties['className'] : [];
}

/**
 * `<a name>` becomes an anchor. A link tells search engines that we do not vouch for its target.
 */
function markLink(link: Element): Element {
  const { name, href, ...others } = link.properties;
  if (href === undefined) {
    const id = others['id'] ?? name;
    return { ...link, properties: { ...others, ...(id !== undefined && { id }) } };
  }
  return { ...link, properties: { ...others, href, rel: ['nofollow', 'noopener'] } };
}

function frameTable(table: Element): Element {
  const frame = { className: ['scroll'], tabIndex: 0, role: 'region', ariaLabel: 'Table' };
  return h('div', frame, table);
}

/** What scrolls must be reachable by keyboard. */
function reachCode(code: Element): Element {
  const reach = { tabIndex: 0, role: 'group', ariaLabel: 'Code' };
  return { ...code, properties: { ...code.properties, ...reach } };
}

/** A head without words names nothing: it is a cell. */
function nameHead(head: Element): Element {
  const isEmpty = head.children.every(
    (child) => child.type === 'text' && child.value.trim() === '',
  );
  return isEmpty ? { ...head, tagName: 'td' } : head;
}

/** The kinds of alerts of GitHub, each with the callouts of Obsidian that look like it. */
const alerts: ReadonlyMap<string, string> = new Map(
  Object.entries({
    note: 'note info todo abstract summary tldr example quote cite',
    tip: 'tip hint success check done',
    important: 'important question help faq',
    warning: 'warning attention',
    caution: 'caution failure fail missing danger error bug',
  }).flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind] as const)),
);

/** `> [!NOTE]`, also with a title and folded as Obsidian writes it (`> [!tip]- Title`), and what follows it. */
function showAlert(quote: Element): Element {
  const first = quote.children.find((child) => child.type === 'element');
  const alert = first === undefined ? undefined : takeAlert(first);
  if (first === undefined || alert === undefined) return quote;
  const isEmpty = first.children.every((child) => textOf(child).trim() === '');
  const rest = quote.children.filter((child) => child !== first || !isEmpty);
  const { kind, title, fold } = alert;
  const className = ['alert', `alert-${kind}`];
  const head = { className: ['alert-title'] };
  if (fold === '') return h('div', { className, role: 'note' }, h('p', head, title), ...rest);
  return h('details', { className, open: fold === '+' }, h('summary', head, title), ...rest);
}

/** Takes the first line of an alert off a paragraph. */
function takeAlert({ tagName, children: [words] }: Element) {
  if (tagName !== 'p' || words?.type !== 'text') return undefined;
  const [line = '', name = '', fold = '', title = ''] =
    /^\[!([a-z]+)\]([+-]?)[ \t]*([^\n]*)(?:\n|$)/i.exec(words.value) ?? [];
  const kind = alerts.get(name.toLowerCase());
  if (kind === undefined) return undefined;
  words.value = words.value.slice(line.length);
  const given = title.trim() || name.charAt(0).toUpperCase() + name.slice(1).toLowerCase();
  return { kind, fold, title: given };
}

/** `- [x]` is a box that is ticked. */
function showTask(item: Element): Element {
  const first = item.children.find((child) => child.type !== 'text' || child.value.trim() !== '');
  const holder = first?.type === 'element' && first.tagName === 'p' ? first : item;
  const words = holder.children.find((child) => child.type !== 'text' || child.value.trim() !== '');
  if (words?.type !== 'text') return item;
  const [mark, sign] = /^\s*\[([ xX])\]\s+/.exec(words.value) ?? [];
  if (mark === undefined) return item;
  words.value = words.value.slice(mark.length);
  const isDone = sign !== ' ';
  const box = h('input', {
    type: 'checkbox',
    disabled: true,
    ...(isDone && { checked: true }),
    ariaLabel: isDone ? 'Done' : 'To do',
  });
  holder.children.splice(holder.children.indexOf(words), 0, box);
  return { ...item, properties: { ...item.properties, className: ['task'] } };
}

/** Code of the class `math` as MathML; what cannot be set stays code. */
function setMath(
  code: Element,
  ancestors: readonly string[],
  room: { formulas: number; chars: number },
): ElementContent {
  const classes = classesOf(code);
  const isFence = classes.includes('language-math') && ancestors.at(-1) === 'pre';
  if (!isFence && !classes.includes('math')) return code;
  if (Math.min(room.formulas, room.chars) <= 0) return code;
  room.formulas -= 1;
  const isBlock = isFence || classes.includes('block');
  const markup = setFormula(textOf(code), isBlock);
  room.chars -= markup?.length ?? 0;
  const [math] = markup === undefined ? [] : parseMarkup(markup).children;
  if (math?.type !== 'element') return code;
  removeStyles(math);
  return isBlock ? h('span', { className: ['formula'] }, math) : math;
}

/** The page's policy refuses style attributes, and what they change is small. */
function removeStyles(element: Element): void {
  const { style: _, ...kept } = element.properties;
  element.properties = kept;
  for (const child of element.children) if (child.type === 'element') removeStyles(child);
}
