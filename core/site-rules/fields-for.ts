import { type HeaderRule, maxFieldBytes, sizeOf } from './parse-headers.ts';
import { matchPattern, readPattern, type RulePath } from './path-pattern.ts';

/** Fields that a site's rules put on an answer, by their name in lowercase. */
export type SiteFields = ReadonlyMap<string, string>;

/**
 * What all blocks that fit a path say together: a later one adds to a field, or takes it away. What
 * would be too much for one answer is left out.
 */
export function fieldsFor(rules: readonly HeaderRule[], path: RulePath): SiteFields {
  const fields = new Map<string, string>();
  for (const rule of rules) {
    const reading = readPattern(rule.path);
    if ('fault' in reading || matchPattern(reading.pattern, path) === undefined) continue;
    for (const name of rule.unset) fields.delete(name);
    for (const [name, value] of rule.set) {
      const before = fields.get(name);
      const joined = before === undefined ? value : `${before}, ${value}`;
      if (sizeOf([...fields, [name, joined]]) <= maxFieldBytes) fields.set(name, joined);
    }
  }
  return fields;
}
