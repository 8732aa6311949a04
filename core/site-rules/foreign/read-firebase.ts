import {
  fieldOf,
  type ForeignRules,
  foreignRules,
  type RuleCollector,
  textOf,
} from './foreign-rules.ts';
import {
  headersOf,
  type JsonItem,
  type JsonObject,
  readJsonFile,
  warnOfFields,
} from './json-file.ts';
import { firebasePaths, readSourcePaths, type SourcePath } from './source-path.ts';

/** Fields of `hosting` that change how a site is served, and that our rules cannot say. */
const withoutEffect: Readonly<Record<string, string>> = {
  cleanUrls: 'Set `prettyUrls` on the project instead.',
  trailingSlash: 'Addresses with and without a slash work here.',
  i18n: 'Pages for languages and countries are not chosen here. Link to each of them.',
};

/** Redirects, rewrites and headers in `hosting` of `firebase.json`; of several sites the first. Never throws. */
export function readFirebase(text: string): ForeignRules {
  const collector = foreignRules('firebase.json');
  const config = readJsonFile(text, collector);
  for (const { value } of config?.items('functions') ?? [])
    collector.serverFolder(textOf(value, 'source') || 'functions');
  const [hosting, ...others] = config?.objects('hosting') ?? [];
  if (hosting === undefined) return collector.rules;
  if (others.length > 0) {
    const message = 'Only the first site is read. Publish each site by itself.';
    collector.warn(config?.lineOf('hosting') ?? 1, 'hosting', message);
  }
  readHosting(collector, hosting);
  return collector.rules;
}

function readHosting(collector: RuleCollector, hosting: JsonObject): void {
  for (const item of hosting.items('redirects')) {
    const { line, value } = item;
    const status = Number(fieldOf(value, 'type') ?? 301);
    // They come before files there.
    for (const { path, target } of sourceOf(collector, item))
      collector.redirect(line, {
        from: path,
        to: target(textOf(value, 'destination')),
        status,
        force: true,
      });
  }
  for (const item of hosting.items('rewrites')) readRewrite(collector, item);
  for (const item of hosting.items('headers')) {
    for (const { path } of sourceOf(collector, item))
      collector.headers(item.line, path, headersOf(item));
  }
  warnOfFields(collector, hosting, withoutEffect);
}

function readRewrite(collector: RuleCollector, item: JsonItem): void {
  const { line, value } = item;
  const destination = textOf(value, 'destination');
  if (destination === '') {
    const message = 'Functions are not run here: only a page of the site can answer a path.';
    collector.warn(line, textOf(value, 'source'), message);
    return;
  }
  for (const { path, target } of sourceOf(collector, item))
    collector.redirect(line, { from: path, to: target(destination), status: 200 });
}

function sourceOf({ warn }: RuleCollector, { line, value }: JsonItem): readonly SourcePath[] {
  const source = textOf(value, 'source') || textOf(value, 'glob');
  const paths = readSourcePaths(source.replace(/^\/?/, '/'), firebasePaths);
  if (paths === undefined || source === '') {
    const message =
      'Only a `source` with one `**`, with `*`, `:name` and words such as `@(a|b)` is supported.';
    warn(line, source, message);
    return [];
  }
  return paths;
}
