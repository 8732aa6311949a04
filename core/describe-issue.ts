import type * as z from 'zod';

type Issue = z.core.$ZodRawIssue;
type IssueOf<Code> = Extract<Issue, { code: Code }>;

/**
 * Describes an invalid value as the end of a sentence that begins with its field: `must be a text`.
 *
 * Every check of client input uses it (`safeParse(value, { error: describeIssue })`), so that no
 * client sees a message of the validator. Messages of our schemas have priority.
 */
export function describeIssue(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue);
    case 'invalid_value':
      return describeChoice(issue.values.map(String));
    case 'too_big':
      return describeMaximum(issue);
    case 'too_small':
      return describeMinimum(issue);
    case 'invalid_format':
      return describeFormat(issue);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `has fields that are not known: ${issue.keys.slice(0, 10).join(', ').slice(0, 200)}`;
    case 'invalid_union':
      return 'has none of the forms that are allowed here';
    case 'custom':
    case 'invalid_element':
    case 'invalid_key':
      return 'is not valid';
  }
}

function describeMaximum({ origin, inclusive, maximum }: IssueOf<'too_big'>): string {
  return describeBound(origin, inclusive === false ? 'less than' : 'at most', maximum);
}

function describeMinimum({ origin, inclusive, minimum }: IssueOf<'too_small'>): string {
  if (origin === 'string' && Number(minimum) === 1) return 'must not be empty';
  return describeBound(origin, inclusive === false ? 'more than' : 'at least', minimum);
}

function describeType({ input, expected }: IssueOf<'invalid_type'>): string {
  return input === undefined ? 'is missing' : `must be ${typeName(expected)}`;
}

function describeChoice(values: readonly string[]): string {
  return `must be ${values.length === 1 ? '' : 'one of '}${values.join(', ')}`;
}

const typeNames: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date',
  null: 'null',
  file: 'a file',
};

function typeName(expected: string): string {
  return typeNames[expected] ?? 'of another type';
}

const units: Record<string, string> = {
  string: ' characters',
  array: ' items',
  set: ' items',
  file: ' bytes',
};

function describeBound(origin: string, relation: string, bound: number | bigint): string {
  const unit = units[origin];
  return unit === undefined
    ? `must be ${relation} ${bound}`
    : `must have ${relation} ${bound}${unit}`;
}

const formats: Record<string, string> = {
  email: 'an e-mail address',
  url: 'a URL',
  uuid: 'a UUID',
  datetime: 'a date and time in ISO 8601',
  date: 'a date in ISO 8601',
  base64: 'base64',
};

function describeFormat({
  format,
  pattern,
}: {
  format: string;
  pattern?: string | undefined;
}): string {
  const name = formats[format];
  if (name !== undefined) return `must be ${name}`;
  return pattern === undefined ? 'has another form than it must have' : `must match ${pattern}`;
}
