import * as z from 'zod';
import type { Pair } from './request-parts.ts';

/** Which cookies or query parameters a policy selects. */
export interface Selection {
  behaviour: 'none' | 'whitelist' | 'allExcept' | 'all';
  names: ReadonlySet<string>;
}

export const selectNone: Selection = { behaviour: 'none', names: new Set() };
export const selectAll: Selection = { behaviour: 'all', names: new Set() };

/** Whether the selection includes a name; names are case-sensitive, as in CloudFront. */
function selects(selection: Selection, name: string): boolean {
  switch (selection.behaviour) {
    case 'none':
      return false;
    case 'all':
      return true;
    case 'whitelist':
      return selection.names.has(name);
    case 'allExcept':
      return !selection.names.has(name);
    default:
      return selection.behaviour satisfies never;
  }
}

/** The pairs that any of the selections includes, in the order in which they were sent. */
export function selectPairs(pairs: readonly Pair[], ...selections: Selection[]): Pair[] {
  return pairs.filter(({ name }) => selections.some((selection) => selects(selection, name)));
}

const Behaviour = z.enum(['none', 'whitelist', 'allExcept', 'all']);

/** `CookiesConfig` of a cache policy or an origin request policy. */
export const CookiesConfig = z
  .strictObject({ CookieBehavior: Behaviour, Cookies: z.array(z.string()).default([]) })
  .transform(
    (config): Selection => ({
      behaviour: config.CookieBehavior,
      names: new Set(config.Cookies),
    }),
  );

/** `QueryStringsConfig` of a cache policy or an origin request policy. */
export const QueryStringsConfig = z
  .strictObject({ QueryStringBehavior: Behaviour, QueryStrings: z.array(z.string()).default([]) })
  .transform(
    (config): Selection => ({
      behaviour: config.QueryStringBehavior,
      names: new Set(config.QueryStrings),
    }),
  );
