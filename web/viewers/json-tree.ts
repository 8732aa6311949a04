import {
  beginningOf,
  childrenOf,
  countOf,
  isOpenable,
  type JsonPart,
  partsMatching,
  shownValue,
} from './parts/json-parts.ts';
import { element } from './parts/viewer-root.ts';

/** Children that are added at once; rows and levels that are open at first and after "Open all", and values that are read for each of these rows; results of a search. */
const most = {
  children: 200,
  first: 100,
  all: 2000,
  found: 200,
  levels: 10,
  values: 3000,
} as const;

const listing = element('.listing', HTMLElement);
const tools = element('.tools', HTMLElement);
const text = listing.textContent;

function isJson(): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

function made(name: string, className = '', content = ''): HTMLElement {
  const one = document.createElement(name);
  if (className !== '') one.className = className;
  one.textContent = content;
  return one;
}

function rowOf(part: JsonPart): HTMLElement {
  const row = made('li');
  const name = part.name === undefined ? '' : `${part.name}: `;
  if (!isOpenable(text, part)) {
    row.append(made('span', 'key', name), made('bdi', 'value', shownValue(text, part)));
    return row;
  }
  const details = document.createElement('details');
  const summary = made('summary');
  summary.append(
    made('span', 'key', name),
    made('span', 'hint', `${countOf(text, part)} `),
    made('bdi', 'hint preview', beginningOf(text, part)),
  );
  details.append(summary);
  details.addEventListener('toggle', () => fill(details, part), { once: true });
  parts.set(details, part);
  row.append(details);
  return row;
}

/** What stands in each part of the tree that can be opened. */
const parts = new WeakMap<HTMLDetailsElement, JsonPart>();

/** Makes the rows of a part when it is opened; returns how many, and how many values were read. */
function fill(details: HTMLDetailsElement, part: JsonPart): { rows: number; values: number } {
  if (details.querySelector('ul') !== null) return { rows: 0, values: 0 };
  const { children, count, values } = childrenOf(text, part);
  const list = made('ul');
  details.append(list);
  const more = document.createElement('button');
  more.type = 'button';
  const add = () => {
    const at = list.childElementCount;
    list.append(...children.slice(at, at + most.children).map(rowOf));
    const left = count - list.childElementCount;
    more.textContent = `Show more (${left.toLocaleString('en-US')} left)`;
    if (list.childElementCount >= children.length) more.remove();
    if (left > 0 && list.childElementCount >= children.length) {
      details.append(
        made('p', 'hint', `${left.toLocaleString('en-US')} more are only in the source.`),
      );
    }
  };
  if (children.length > most.children) details.append(more);
  add();
  more.addEventListener('click', add);
  return { rows: list.childElementCount, values };
}

/** Opens parts level by level, until so many rows are open, or so much was read: levels that hold each other are read again for each. */
function openRows(within: HTMLElement, rows: number): void {
  let left = rows;
  let values = rows * most.values;
  let level = [...within.querySelectorAll('details')];
  for (let depth = 0; depth < most.levels && level.length > 0; depth += 1) {
    const next: HTMLDetailsElement[] = [];
    for (const details of level) {
      const part = parts.get(details);
      if (part === undefined) continue;
      const filled = fill(details, part);
      left -= filled.rows;
      values -= filled.values;
      if (left < 0 && details.parentElement?.parentElement !== within) return;
      details.open = true;
      if (values < 0) return;
      next.push(...details.querySelectorAll<HTMLDetailsElement>(':scope > ul > li > details'));
    }
    level = next;
  }
}

function showFound(query: string, found: HTMLElement): void {
  const results = partsMatching(text, query.toLowerCase(), most.found);
  const amount = results.length < most.found ? String(results.length) : `The first ${most.found}`;
  const list = made('ul');
  list.append(
    ...results.map(({ path, part }) => {
      const row = made('li');
      row.append(made('bdi', 'key', `${path}: `), made('bdi', 'value', shownValue(text, part)));
      return row;
    }),
  );
  found.replaceChildren(
    made('p', 'hint', results.length === 0 ? 'Nothing found.' : `${amount} found.`),
    list,
  );
}

function button(words: string): HTMLButtonElement {
  const one = document.createElement('button');
  one.type = 'button';
  one.textContent = words;
  return one;
}

function searchField(): { label: HTMLElement; input: HTMLInputElement } {
  const label = made('label', '', 'Search ');
  const input = document.createElement('input');
  input.type = 'search';
  input.autocomplete = 'off';
  label.append(input);
  return { label, input };
}

function showTree(): void {
  const tree = made('div', 'json-tree');
  const root = made('ul');
  const found = made('div');
  found.setAttribute('role', 'status');
  tree.append(root, found);
  root.append(rowOf({ start: text.search(/\S/) }));
  openRows(root, most.first);

  const { label, input } = searchField();
  const [choose, openAll] = [button('Tree'), button('Open all')];
  input.addEventListener('input', () => {
    root.hidden = input.value !== '';
    if (root.hidden) showFound(input.value, found);
    else found.replaceChildren();
  });
  openAll.addEventListener('click', () => openRows(root, most.all));
  const ofSource = [...tools.querySelectorAll<HTMLElement>('[data-wrap], label')];
  const choice = (isTree: boolean) => {
    tree.hidden = label.hidden = openAll.hidden = !isTree;
    for (const one of [listing, ...ofSource]) one.hidden = isTree;
    choose.setAttribute('aria-pressed', String(isTree));
  };
  choose.addEventListener('click', () => choice(!listing.hidden));
  tools.prepend(choose, openAll, label);
  listing.before(tree);
  // A link to a line is one to the source.
  choice(!/^#L\d/.test(location.hash));
  addEventListener('hashchange', () => choice(!/^#L\d/.test(location.hash)));
}

if (isJson()) showTree();
