import type { Root } from 'hast';
import { defaultSchema, sanitize, type Schema } from 'hast-util-sanitize';
import { countingAdapter } from './count-steps.ts';
import { fromParse5 } from 'hast-util-from-parse5';
import { parseFragment } from 'parse5';

const githubAttributes = defaultSchema.attributes ?? {};
const githubTags = defaultSchema.tagNames ?? [];
const alignments: [string, ...string[]] = ['className', 'to-left', 'to-center', 'to-right'];

/** The HTML that GitHub shows, with the classes that our own rules give. No attribute styles, runs or loads anything. */
const schema: Schema = {
  ...defaultSchema,
  // Boxes of tasks are made later.
  tagNames: [...githubTags.filter((name) => name !== 'input'), 'mark'],
  required: {},
  attributes: {
    ...githubAttributes,
    a: ['href', 'name', 'ariaLabel', ['className', 'footnote-backref']],
    code: [['className', /^language-[\w+#-]+$/, 'math', 'block']],
    li: [['className', 'footnote-item']],
    ol: ['start', ['className', 'footnotes-list']],
    pre: [],
    section: [['className', 'footnotes']],
    source: [],
    span: [['className', /^hljs-/, /^[\w]+_$/]],
    sup: [['className', 'footnote-ref']],
    td: [alignments],
    th: [alignments],
    '*': 'align alt cite colSpan dateTime dir height id lang open rowSpan scope start title vAlign width'.split(
      ' ',
    ),
  },
  // Names lead to places of this page; no script of ours looks anything up by them.
  clobber: [],
  protocols: {
    href: ['http', 'https', 'mailto', 'tel'],
    src: ['http', 'https', 'data'],
    cite: ['http', 'https'],
  },
  strip: ['script', 'style', 'template', 'noscript', 'iframe', 'object', 'svg', 'math', 'title'],
};

/**
 * Markup of others as a tree without anything that runs, styles the page or loads.
 * @throws TooManySteps
 */
export function sanitizeMarkup(markup: string): Root {
  const tree = sanitize(parseMarkup(markup), schema);
  return tree.type === 'root' ? tree : { type: 'root', children: [] };
}

/**
 * A fragment of markup as browsers read it, without the places of its parts in the text.
 * @throws TooManySteps
 */
export function parseMarkup(markup: string): Root {
  const tree = fromParse5(parseFragment(markup, { treeAdapter: countingAdapter() }));
  return tree.type === 'root' ? tree : { type: 'root', children: [] };
}
