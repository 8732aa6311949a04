import * as z from 'zod';
import { StartError } from '../errors.ts';

/** The caller: a function's role, or an AWS service that acts for a resource. */
export interface Principal {
  kind: 'AWS' | 'Service';
  id: string;
}

/** One request to evaluate. */
export interface AccessRequest {
  principal: Principal;
  /** `dynamodb:GetItem` */
  action: string;
  resource: string;
  context?: Context;
}

/** One statement; values may contain wildcards. */
export interface Statement {
  effect: 'Allow' | 'Deny';
  actions: string[];
  resources: string[];
  /** Undefined in an identity policy, which applies to its owner. */
  principals: { kind: string; id: string }[] | undefined;
  conditions: Condition[];
}

const OneOrMore = z.union([z.string(), z.array(z.string())]).transform((value) => [value].flat());

const Statement = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Action: OneOrMore,
  Resource: OneOrMore,
  Principal: z
    .union([z.literal('*'), z.record(z.string(), z.union([z.string(), z.array(z.string())]))])
    .optional(),
  Condition: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
});

const PolicyDocument = z.strictObject({
  Version: z.literal('2012-10-17'),
  Statement: z.union([Statement, z.array(Statement)]).transform((value) => [value].flat()),
});

function principalsOf(principal: z.infer<typeof Statement>['Principal']): Statement['principals'] {
  if (principal === undefined) return undefined;
  if (principal === '*') return [{ kind: '*', id: '*' }];
  return Object.entries(principal).flatMap(([kind, ids]) =>
    [ids].flat().map((id) => ({ kind, id })),
  );
}

/** Parses a policy document; an unsupported element stops the start. */
export function parsePolicy(document: unknown, where: string): Statement[] {
  const parsed = PolicyDocument.safeParse(document);
  if (!parsed.success) throw new StartError(`${where}: ${z.prettifyError(parsed.error)}`);
  return parsed.data.Statement.map((statement) => ({
    effect: statement.Effect,
    actions: statement.Action,
    resources: statement.Resource,
    principals: principalsOf(statement.Principal),
    conditions: parseConditions(statement.Condition ?? {}, where),
  }));
}

function matchesAction(patterns: string[], action: string): boolean {
  return patterns.some((pattern) => matchesWildcard(pattern.toLowerCase(), action.toLowerCase()));
}

function matchesResource(patterns: string[], resource: string): boolean {
  return patterns.some((pattern) => matchesWildcard(pattern, resource));
}

function matchesPrincipal(statement: Statement, { kind, id }: Principal): boolean {
  if (statement.principals === undefined) return kind === 'AWS';
  return statement.principals.some((one) => {
    if (one.id === '*' && (one.kind === '*' || one.kind === 'AWS')) return true;
    return one.kind === kind && one.id === id;
  });
}

function statementApplies(statement: Statement, request: AccessRequest): boolean {
  return (
    matchesAction(statement.actions, request.action) &&
    matchesResource(statement.resources, request.resource) &&
    matchesPrincipal(statement, request.principal) &&
    statement.conditions.every((condition) => conditionHolds(condition, request.context ?? {}))
  );
}

/** Whether the statements allow the request: Deny overrides Allow, and the default is Deny. */
export function isAllowed(statements: readonly Statement[], request: AccessRequest): boolean {
  if (isDenied(statements, request)) return false;
  return statements.some(
    (statement) => statement.effect === 'Allow' && statementApplies(statement, request),
  );
}

/** Whether a statement explicitly denies the request. */
export function isDenied(statements: readonly Statement[], request: AccessRequest): boolean {
  return statements.some(
    (statement) => statement.effect === 'Deny' && statementApplies(statement, request),
  );
}

/** The condition values of a request, by lowercase key. Only `aws:TagKeys` has several. */
export type Context = Readonly<Record<string, string | readonly string[]>>;

/** One condition: the operator, the key and its values, of which one must match. */
export interface Condition {
  operator: Operator;
  /** Whether every value of the request must match, instead of any. */
  forAll: boolean;
  ifExists: boolean;
  key: string;
  values: string[];
}

const OPERATORS = {
  StringEquals: (value: string, actual: string) => value === actual,
  StringEqualsIgnoreCase: (value: string, actual: string) =>
    value.toLowerCase() === actual.toLowerCase(),
  StringLike: matchesWildcard,
  ArnLike: matchesWildcard,
  Bool: (value: string, actual: string) => value.toLowerCase() === actual.toLowerCase(),
} as const satisfies Record<string, (value: string, actual: string) => boolean>;

type Operator = keyof typeof OPERATORS;

/** The keys that the local services set as the real ones do. */
const KEYS = new Set([
  'aws:securetransport',
  'aws:sourcearn',
  'aws:tagkeys',
  's3:prefix',
  'secretsmanager:versionstage',
  'ses:fromaddress',
]);

/** Conditions on tags name the tag in the key: `aws:ResourceTag/<key>`. */
const TAG_KEY = /^aws:(?:request|resource)tag\/./;

function isKnownKey(key: string): boolean {
  return KEYS.has(key) || TAG_KEY.test(key);
}

function isOperator(name: string): name is Operator {
  return Object.hasOwn(OPERATORS, name);
}

const SET_OPERATOR = /^(?:(ForAllValues|ForAnyValue):)?(\w+?)(?:IfExists)?$/;

/** Parses a `Condition` block; an unknown operator or key stops the start. */
function parseConditions(
  block: Record<string, Record<string, unknown>>,
  where: string,
): Condition[] {
  return Object.entries(block).flatMap(([name, keys]) => {
    const [, set = '', operator = ''] = SET_OPERATOR.exec(name) ?? [];
    if (!isOperator(operator)) {
      throw new StartError(
        `${where}: the local cloud does not know the condition operator ${name}.`,
      );
    }
    return Object.entries(keys).map(([key, values]) => {
      if (!isKnownKey(key.toLowerCase())) {
        throw new StartError(`${where}: the local cloud does not know the condition key ${key}.`);
      }
      return {
        operator,
        forAll: set === 'ForAllValues',
        ifExists: name.endsWith('IfExists'),
        key: key.toLowerCase(),
        values: [values].flat().map(String),
      };
    });
  });
}

/**
 * Whether a condition is met. Without the key, only `IfExists` and `ForAllValues` conditions are
 * (IAM, "Multivalued context keys").
 */
function conditionHolds(condition: Condition, context: Context): boolean {
  const { operator, forAll, ifExists, key, values } = condition;
  const found = context[key];
  if (found === undefined) return ifExists || forAll;
  const test = OPERATORS[operator];
  const matches = (actual: string) => values.some((value) => test(value, actual));
  const actual = [found].flat();
  return forAll ? actual.every(matches) : actual.some(matches);
}

/** The condition values of tags in a request, and on the resource that it names. */
export function tagContext(tags: {
  request?: readonly { Key: string; Value?: string | undefined }[];
  resource?: readonly { Key: string; Value?: string | undefined }[];
}): Context {
  const entries = (
    prefix: string,
    list: readonly { Key: string; Value?: string | undefined }[] = [],
  ) => list.map(({ Key, Value = '' }) => [`${prefix}/${Key.toLowerCase()}`, Value] as const);
  const keys = (tags.request ?? []).map(({ Key }) => Key);
  return {
    ...Object.fromEntries([
      ...entries('aws:requesttag', tags.request),
      ...entries('aws:resourcetag', tags.resource),
    ]),
    ...(keys.length > 0 && { 'aws:tagkeys': keys }),
  };
}

/**
 * Whether `text` fits a pattern: `*` is any number of characters, `?` is exactly one; case counts.
 * It backtracks to the last `*` only, so that no pattern is slow.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  let at = 0;
  let p = 0;
  let star = -1;
  let retry = 0;
  while (at < text.length) {
    if (pattern[p] === '*') {
      star = p++;
      retry = at;
    } else if (pattern[p] === '?' || pattern[p] === text[at]) {
      p++;
      at++;
    } else if (star >= 0) {
      p = star + 1;
      at = ++retry;
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(p));
}
