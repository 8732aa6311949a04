import * as z from 'zod';
import { StartError } from '../start-error.ts';
import { type Condition, type Context, holds, parseConditions } from './condition.ts';
import { matchesWildcard } from './wildcard.ts';

/** Who asks: a function's role, or a service of AWS that acts for a resource. */
export interface Principal {
  kind: 'AWS' | 'Service';
  id: string;
}

/** One question to the policies. */
export interface AccessRequest {
  principal: Principal;
  /** `dynamodb:GetItem` */
  action: string;
  resource: string;
  context?: Context;
}

/** One statement, with wildcards still in it. */
export interface Statement {
  effect: 'Allow' | 'Deny';
  actions: string[];
  notActions: string[];
  resources: string[];
  notResources: string[];
  /** Undefined in an identity policy: it speaks about whoever holds it. */
  principals: { kind: string; id: string }[] | undefined;
  conditions: Condition[];
}

const OneOrMore = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => [value].flat())
  .optional();

const Statement = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Action: OneOrMore,
  NotAction: OneOrMore,
  Resource: OneOrMore,
  NotResource: OneOrMore,
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

/** Reads a policy document; what the evaluation would not understand stops the start. */
export function parsePolicy(document: unknown, where: string): Statement[] {
  const parsed = PolicyDocument.safeParse(document);
  if (!parsed.success) throw new StartError(`${where}: ${z.prettifyError(parsed.error)}`);
  return parsed.data.Statement.map((statement) => ({
    effect: statement.Effect,
    actions: statement.Action ?? [],
    notActions: statement.NotAction ?? [],
    resources: statement.Resource ?? [],
    notResources: statement.NotResource ?? [],
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

function applies(statement: Statement, request: AccessRequest): boolean {
  const { actions, notActions, resources, notResources } = statement;
  const action =
    actions.length > 0
      ? matchesAction(actions, request.action)
      : !matchesAction(notActions, request.action);
  const resource =
    resources.length > 0
      ? matchesResource(resources, request.resource)
      : !matchesResource(notResources, request.resource);
  if (!action || !resource || !matchesPrincipal(statement, request.principal)) return false;
  return statement.conditions.every((condition) => holds(condition, request.context ?? {}));
}

/** Whether the statements allow the request: a Deny beats every Allow, and silence is no. */
export function isAllowed(statements: readonly Statement[], request: AccessRequest): boolean {
  if (isDenied(statements, request)) return false;
  return statements.some(
    (statement) => statement.effect === 'Allow' && applies(statement, request),
  );
}

/** Whether a statement denies the request expressly. */
export function isDenied(statements: readonly Statement[], request: AccessRequest): boolean {
  return statements.some((statement) => statement.effect === 'Deny' && applies(statement, request));
}
