import { listOf } from '../../json.ts';
import { parse } from 'smol-toml';
import {
  entriesOf,
  fieldOf,
  type ForeignRules,
  foreignRules,
  type RuleCollector,
  textOf,
} from './foreign-rules.ts';

const file = 'netlify.toml';
const maxDepth = 50;

/** What Netlify does beside serving files. */
const notRun: Readonly<Record<string, string>> = {
  functions: 'Functions are not run here. Call a server elsewhere.',
  edge_functions: 'Functions are not run here. Call a server elsewhere.',
  plugins: 'Plugins are not run here. Run them before you publish.',
  context: 'A part for one context is not read. Write its rules for all.',
};

/** Redirects and headers of `netlify.toml`, which have the placeholders of our own. Never throws. */
export function readNetlify(text: string): ForeignRules {
  const collector = foreignRules(file);
  const lineOf = lineFinder(text);
  try {
    const config = parse(text, { maxDepth });
    for (const [at, rule] of listOf(config['redirects']).entries())
      readRedirect(collector, lineOf('redirects', at), rule);
    for (const [at, rule] of listOf(config['headers']).entries())
      readHeaders(collector, lineOf('headers', at), rule);
    for (const [name, message] of Object.entries(notRun))
      if (config[name] !== undefined) collector.warn(lineOf(name, 0), name, message);
    collector.serverFolder(textOf(config['build'], 'functions'));
    collector.serverFolder(textOf(config['functions'], 'directory'));
  } catch (error) {
    const line = Number(fieldOf(error, 'line')) || 1;
    collector.warn(line, '', 'The file is not valid TOML and was not read. Correct this line.');
  }
  return collector.rules;
}

function readRedirect({ warn, redirect }: RuleCollector, line: number, rule: unknown): void {
  const from = textOf(rule, 'from');
  const unknown = ['query', 'conditions', 'headers', 'signed'].find(
    (name) => fieldOf(rule, name) !== undefined && !isEmpty(fieldOf(rule, name)),
  );
  if (unknown !== undefined) {
    warn(line, from, `A redirect with \`${unknown}\` is not supported. Write one without it.`);
    return;
  }
  const status = Number(fieldOf(rule, 'status') ?? 301);
  redirect(line, { from, to: textOf(rule, 'to'), status, force: fieldOf(rule, 'force') === true });
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : entriesOf(value).length === 0 && value !== '';
}

function readHeaders({ headers }: RuleCollector, line: number, rule: unknown): void {
  const fields = entriesOf(fieldOf(rule, 'values')).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, inOneLine(String(one))] as const),
  );
  headers(line, textOf(rule, 'for'), fields);
}

function inOneLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
}

/** Finds the line of a table, or of one of a list of tables: the parser does not tell it. */
function lineFinder(text: string): (name: string, at: number) => number {
  const heads = new Map<string, number[]>();
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    const [, name] = /^\s*(?:\[\[?\s*)?"?([\w-]+)/.exec(line) ?? [];
    if (name !== undefined && !isPartOfTable(line)) {
      const lines = heads.get(name);
      if (lines === undefined) heads.set(name, [index + 1]);
      else lines.push(index + 1);
    }
  }
  return (name, at) => heads.get(name)?.[at] ?? heads.get(name)?.[0] ?? 1;
}

/** `[headers.values]` belongs to the table before it. */
function isPartOfTable(line: string): boolean {
  return /^\s*\[\s*(?:redirects|headers)\b/.test(line);
}
