import { isRecord } from '../assembly/json.ts';
import { StartError } from '../start-error.ts';

/** A pattern that a record must match, as in `FilterCriteria`. */
export type Pattern = Record<string, unknown>;

const COMPARISONS: Record<string, (operand: unknown, value: unknown) => boolean> = {
  exists: (operand, value) => operand === (value !== undefined),
  prefix: (operand, value) => typeof value === 'string' && value.startsWith(String(operand)),
  'anything-but': (operand, value) => value !== undefined && ![operand].flat().includes(value),
};

function matchesRule(rule: unknown, value: unknown): boolean {
  if (!isRecord(rule)) return rule === value;
  return Object.entries(rule).every(
    ([name, operand]) => COMPARISONS[name]?.(operand, value) === true,
  );
}

function checkRule(rule: unknown): void {
  const unknown = isRecord(rule)
    ? Object.keys(rule).find((name) => !(name in COMPARISONS))
    : undefined;
  if (unknown === undefined) return;
  throw new StartError(`The local cloud does not know the filter rule ${unknown}.`);
}

function check(pattern: Pattern): void {
  for (const part of Object.values(pattern)) {
    if (isRecord(part)) check(part);
    else if (Array.isArray(part)) part.forEach(checkRule);
    else throw new StartError('A filter pattern must hold lists of values.');
  }
}

/** Reads the JSON text of one filter; a rule that the local cloud does not evaluate stops the start. */
export function parsePattern(text: string): Pattern {
  const pattern: unknown = JSON.parse(text);
  if (!isRecord(pattern)) throw new StartError(`A filter pattern is no object: ${text}`);
  check(pattern);
  return pattern;
}

/** Whether a record has, for every key of the pattern, one of the values that it lists. */
export function matchesPattern(pattern: Pattern, record: unknown): boolean {
  return Object.entries(pattern).every(([key, part]) => {
    const value = isRecord(record) ? record[key] : undefined;
    if (isRecord(part)) return matchesPattern(part, value);
    return Array.isArray(part) && part.some((rule) => matchesRule(rule, value));
  });
}
