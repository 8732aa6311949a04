import { StartError } from '../start-error.ts';
import { matchesWildcard } from './wildcard.ts';

/** What is known about a request beside action and resource, by lowercase condition key. */
export type Context = Readonly<Record<string, string>>;

/** One operator, key and its values: any of the values is enough. */
export interface Condition {
  operator: Operator;
  ifExists: boolean;
  key: string;
  values: string[];
}

const OPERATORS = {
  StringEquals: (value: string, actual: string) => value === actual,
  StringNotEquals: (value: string, actual: string) => value !== actual,
  StringLike: matchesWildcard,
  ArnEquals: matchesWildcard,
  ArnLike: matchesWildcard,
  Bool: (value: string, actual: string) => value.toLowerCase() === actual.toLowerCase(),
  NumericLessThan: (value: string, actual: string) => Number(actual) < Number(value),
} as const satisfies Record<string, (value: string, actual: string) => boolean>;
type Operator = keyof typeof OPERATORS;

/** The keys that the parts of the local cloud put into the context where real services do. */
const KEYS = new Set([
  'aws:securetransport',
  'aws:sourceaccount',
  'aws:sourcearn',
  's3:prefix',
  's3:tlsversion',
  'ses:fromaddress',
]);

function isOperator(name: string): name is Operator {
  return Object.hasOwn(OPERATORS, name);
}

/** Reads a `Condition` block; an operator or key that the local cloud does not evaluate stops the start. */
export function parseConditions(
  block: Record<string, Record<string, unknown>>,
  where: string,
): Condition[] {
  return Object.entries(block).flatMap(([name, keys]) => {
    const operator = name.replace(/IfExists$/, '');
    if (!isOperator(operator)) {
      throw new StartError(
        `${where}: the local cloud does not know the condition operator ${name}.`,
      );
    }
    return Object.entries(keys).map(([key, values]) => {
      if (!KEYS.has(key.toLowerCase())) {
        throw new StartError(`${where}: the local cloud does not know the condition key ${key}.`);
      }
      const ifExists = name.endsWith('IfExists');
      return { operator, ifExists, key: key.toLowerCase(), values: [values].flat().map(String) };
    });
  });
}

/** Whether a condition is met; a key that the request lacks meets only the negated and `IfExists` ones. */
export function holds({ operator, ifExists, key, values }: Condition, context: Context): boolean {
  const actual = context[key];
  if (actual === undefined) return ifExists || operator === 'StringNotEquals';
  const test = OPERATORS[operator];
  if (operator === 'StringNotEquals') return values.every((value) => test(value, actual));
  return values.some((value) => test(value, actual));
}
