import type { RulePath } from '../site-rules/path-pattern.ts';
import {
  decodeRules,
  fieldsFor,
  noRules,
  removesField,
  type SiteFields,
  type SiteRules,
} from '../site-rules/site-rules.ts';
import { readNamelessPath, readRequestPath, type RequestPath } from './protocol/request-path.ts';
import type { ServingRecord } from './serving-record.ts';

type Site = Pick<ServingRecord, 'home' | 'rules'>;

/** The rules of a site; a bundle has none. */
export function rulesOf({ home, rules }: Site): SiteRules {
  return home === null ? noRules : decodeRules(rules);
}

/** A request path as rules compare it. */
export function toRulePath({ path, folder }: RequestPath): RulePath {
  return { segments: path === '' ? [] : path.split('/'), slash: folder };
}

/** A raw request path, whether a file can have it or not. */
function readAnyPath(urlPath: string): RequestPath | undefined {
  return readRequestPath(urlPath) ?? readNamelessPath(urlPath);
}

/** The headers that the site's own rules set at a path, whatever is there. */
export function fieldsAt(site: Site, requested: RequestPath | undefined): SiteFields {
  return requested === undefined
    ? new Map()
    : fieldsFor(rulesOf(site).headers, toRulePath(requested));
}

/** Whether the site's own rules remove a header at a raw path. */
export function removesFieldAt(site: Site, urlPath: string, name: string): boolean {
  const requested = readAnyPath(urlPath);
  return (
    requested !== undefined && removesField(rulesOf(site).headers, toRulePath(requested), name)
  );
}
