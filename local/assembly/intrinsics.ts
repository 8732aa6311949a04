import { isRecord } from '../errors.ts';

/** Resolves the names of one template. Every function throws for an unknown name. */
export interface Scope {
  ref(logicalId: string): unknown;
  getAtt(logicalId: string, attribute: string): unknown;
  importValue(name: string): unknown;
}

type Intrinsic = (argument: unknown, scope: Scope) => unknown;

function text(value: unknown, what: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new Error(`${what} is not a string: ${JSON.stringify(value) ?? 'nothing'}`);
}

function list(value: unknown, what: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`${what} is not a list: ${JSON.stringify(value) ?? 'nothing'}`);
}

function getAtt(argument: unknown, scope: Scope): unknown {
  const [logicalId, ...rest] =
    typeof argument === 'string' ? argument.split('.') : list(argument, 'Fn::GetAtt');
  const attribute = rest.map((part) => text(evaluate(part, scope), 'an attribute name')).join('.');
  return scope.getAtt(text(logicalId, 'a logical id'), attribute);
}

function join(argument: unknown, scope: Scope): string {
  const [separator, parts] = list(argument, 'Fn::Join');
  return list(evaluate(parts, scope), 'the list of Fn::Join')
    .map((part) => text(part, 'a part of Fn::Join'))
    .join(text(separator, 'the separator of Fn::Join'));
}

function substitute(template: string, variables: Record<string, unknown>, scope: Scope): string {
  return template.replace(/\$\{(!?)([^}]*)\}/g, (_, literal: string, name: string) => {
    if (literal === '!') return `\${${name}}`;
    if (Object.hasOwn(variables, name)) return text(variables[name], `\${${name}}`);
    const value = name.includes('.') ? getAtt(name, scope) : scope.ref(name);
    return text(value, `\${${name}}`);
  });
}

function sub(argument: unknown, scope: Scope): string {
  if (typeof argument === 'string') return substitute(argument, {}, scope);
  const [template, variables] = list(argument, 'Fn::Sub');
  const values = evaluate(variables, scope);
  return substitute(text(template, 'Fn::Sub'), isRecord(values) ? values : {}, scope);
}

function select(argument: unknown, scope: Scope): unknown {
  const [index, items] = list(evaluate(argument, scope), 'Fn::Select');
  const item = list(items, 'the list of Fn::Select')[Number(index)];
  if (item === undefined) throw new Error(`Fn::Select finds nothing at ${String(index)}`);
  return item;
}

function split(argument: unknown, scope: Scope): string[] {
  const [separator, value] = list(evaluate(argument, scope), 'Fn::Split');
  return text(value, 'the text of Fn::Split').split(text(separator, 'the separator of Fn::Split'));
}

/** Those that the templates use. Conditions and mappings are none of them. */
const INTRINSICS: Record<string, Intrinsic> = {
  Ref: (argument, scope) => scope.ref(text(argument, 'Ref')),
  'Fn::GetAtt': getAtt,
  'Fn::Join': join,
  'Fn::Sub': sub,
  'Fn::Select': select,
  'Fn::Split': split,
  'Fn::ImportValue': (argument, scope) =>
    scope.importValue(text(evaluate(argument, scope), 'Fn::ImportValue')),
};

function intrinsicOf(value: Record<string, unknown>): [Intrinsic, unknown] | undefined {
  const keys = Object.keys(value);
  const name = keys.find((key) => key === 'Ref' || key.startsWith('Fn::'));
  if (name === undefined) return undefined;
  const intrinsic = INTRINSICS[name];
  if (intrinsic === undefined || keys.length > 1) {
    throw new Error(`the local cloud does not know the intrinsic function ${keys.join(', ')}`);
  }
  return [intrinsic, value[name]];
}

/** A template value with every intrinsic function evaluated. */
export function evaluate(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value)) return value.map((item) => evaluate(item, scope));
  if (!isRecord(value)) return value;
  const found = intrinsicOf(value);
  if (found !== undefined) return found[0](found[1], scope);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, evaluate(item, scope)]),
  );
}
