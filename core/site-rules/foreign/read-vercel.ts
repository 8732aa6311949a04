import { listOf } from '../../json.ts';
import {
  fieldOf,
  type ForeignRules,
  foreignRules,
  type RuleCollector,
  textOf,
} from './foreign-rules.ts';
import { headersOf, type JsonItem, readJsonFile, warnOfFields } from './json-file.ts';
import { readSourcePaths, type SourcePath, vercelPaths } from './source-path.ts';

/** Fields of `vercel.json` that change how a site is served, and that our rules cannot say. */
const withoutEffect: Readonly<Record<string, string>> = {
  cleanUrls: 'Set `prettyUrls` on the project instead.',
  trailingSlash: 'Addresses with and without a slash work here.',
  functions: 'Functions are not run here. Call a server elsewhere.',
  crons: 'Jobs are not run here. Run them elsewhere.',
};

/** Redirects, rewrites and headers of `vercel.json`, and its older `routes`. Never throws. */
export function readVercel(text: string, file = 'vercel.json'): ForeignRules {
  const collector = foreignRules(file);
  const config = readJsonFile(text, collector);
  if (config === undefined) return collector.rules;
  for (const item of config.items('redirects'))
    addRules(collector, item, { to: textOf(item.value, 'destination'), status: statusOf(item) });
  for (const item of config.items('rewrites'))
    addRules(collector, item, { to: textOf(item.value, 'destination'), status: 200 });
  for (const item of config.items('routes')) readRoute(collector, item);
  for (const item of config.items('headers')) {
    for (const { path } of sourceOf(collector, item))
      collector.headers(item.line, path, headersOf(item));
  }
  warnOfFields(collector, config, withoutEffect);
  return collector.rules;
}

function statusOf({ value }: JsonItem): number {
  const permanent = fieldOf(value, 'permanent') === false ? 307 : 308;
  return Number(fieldOf(value, 'statusCode') ?? permanent);
}

/** Redirects come before files there. */
function addRules(
  collector: RuleCollector,
  item: JsonItem,
  { to, status }: { to: string; status: number },
): void {
  for (const { path, target } of sourceOf(collector, item))
    collector.redirect(item.line, { from: path, to: target(to), status, force: status !== 200 });
}

/** A route with `dest` is a rewrite, one with a status and `Location` a redirect. */
function readRoute(collector: RuleCollector, item: JsonItem): void {
  const { line, value } = item;
  if (textOf(value, 'handle') === 'filesystem') return;
  const location =
    textOf(fieldOf(value, 'headers'), 'Location') || textOf(fieldOf(value, 'headers'), 'location');
  const status = Number(fieldOf(value, 'status') ?? 200);
  const to = location === '' ? textOf(value, 'dest') : location;
  if (to !== '' && (location === '') === (status === 200))
    addRules(collector, item, { to, status });
  else {
    const message = 'Write `redirects`, `rewrites` and `headers` instead of this route.';
    collector.warn(line, textOf(value, 'src'), message);
  }
}

function sourceOf({ warn }: RuleCollector, { line, value }: JsonItem): readonly SourcePath[] {
  const source = textOf(value, 'source') || textOf(value, 'src').replace(/^\^|\$$/g, '');
  const host = hostOf(value);
  const condition = ['has', 'missing', 'methods'].find(
    (name) => fieldOf(value, name) !== undefined,
  );
  if (condition !== undefined && host === undefined) {
    warn(line, source, `A rule with \`${condition}\` is not supported. Write one without it.`);
    return [];
  }
  const paths = readSourcePaths(source, vercelPaths);
  if (paths === undefined) {
    const message =
      'Only `:name`, one `:name*` or `(.*)`, and words such as `(a|b)` are supported in a `source`.';
    warn(line, source, message);
  }
  return (paths ?? []).map(({ path, target }) => ({
    path: host === undefined ? path : `https://${host}${path}`,
    target,
  }));
}

/** The host of a rule whose one condition is `{"type": "host", "value": "www.example.com"}`. */
function hostOf(rule: unknown): string | undefined {
  const [condition, ...others] = listOf(fieldOf(rule, 'has'));
  const isOnly = others.length === 0 && fieldOf(rule, 'missing') === undefined;
  return isOnly && textOf(condition, 'type') === 'host' ? textOf(condition, 'value') : undefined;
}
