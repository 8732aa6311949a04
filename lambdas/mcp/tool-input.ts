import * as z from 'zod';
import type { Tool } from '../../contract/tool.ts';
import { describeIssue } from '../../core/describe-issue.ts';
import { quoted } from '../../core/content/safe-path.ts';
import { invalidInput } from '../http/invalid-input.ts';
import { hasTooManyValues } from '../http/json-size.ts';
import { isRecord, parseJson } from '../../core/json.ts';

/**
 * Fields with secrets or with whole files. Results never repeat them, because logs of conversations
 * contain results.
 */
const redactedFields = new Set<PropertyKey>(['password', 'zipBase64', 'content']);

/** Whether a result must not repeat the value at a path. A text in the place of files holds their content. */
export function isRedacted(path: readonly PropertyKey[]): boolean {
  const [field, ...rest] = path;
  if (path.some((part) => redactedFields.has(part))) return true;
  return field === 'files' && rest.every((part) => typeof part === 'number');
}

const maxShownLength = 60;
/** Maximum length of any list in the arguments. */
const maxItems = 2000;
const maxReported = 20;

/**
 * Checks the arguments of a call. An unknown field is an error that names the field. What clients write in
 * another way is read: JSON as text, and null for an absent field.
 * @throws CodedError INVALID_REQUEST
 */
export function toolInput<I extends z.ZodObject, O extends z.ZodObject>(
  { name, input }: Pick<Tool<I, O>, 'name' | 'input'>,
  sent: unknown,
): z.infer<I> {
  const args = readValue(input, sent);
  const unreadableArguments = Object.entries(args ?? {}).flatMap(findUnreadable);
  if (unreadableArguments.length > 0)
    throw invalidInput('INVALID_REQUEST', unreadableArguments.slice(0, maxReported));
  const parsed = input.safeParse(args ?? {}, { error: describeIssue });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, maxReported);
  throw invalidInput(
    'INVALID_REQUEST',
    issues.flatMap((issue) => toInvalidFields(issue, args, name)),
  );
}

/**
 * Problems that must be found before the schema runs: Zod checks every item, and two million wrong
 * items would produce a gigabyte of issues. A lone surrogate is not a character and cannot be
 * stored (RFC 8259 §8.2).
 */
function findUnreadable([name, value]: [string, unknown]) {
  const path = bare(name);
  if (Array.isArray(value) && value.length > maxItems) {
    return [{ path, message: `has more than ${maxItems} items` }];
  }
  const isHalved = typeof value === 'string' && /\p{Cs}/u.test(value);
  return isHalved ? [{ path, message: 'has a lone surrogate; send valid Unicode text' }] : [];
}

/**
 * A value as the schema describes it, with its fields and items. Some clients send JSON as text, and some
 * send null for every optional field that they leave out: where a field has no null of its own, it means
 * absent. What the schema does not know stays as it is.
 */
function readValue(schema: z.core.$ZodType, sent: unknown): unknown {
  const known = unwrapped(schema);
  const value = readJsonText(known, sent);
  // A longer list is refused, and its items are not worth the time.
  if (known instanceof z.core.$ZodArray && Array.isArray(value) && value.length <= maxItems) {
    return value.map((item: unknown) => readValue(known._zod.def.element, item));
  }
  if (!(known instanceof z.core.$ZodObject) || !isRecord(value)) return value;
  const fields = new Map<string, z.core.$ZodType>(Object.entries(known._zod.def.shape));
  const kept = Object.entries(value).flatMap(([name, part]): [string, unknown][] => {
    const field = fields.get(name);
    if (field === undefined) return [[name, part]];
    const isAbsent = part === null && !z.safeParse(field, null).success;
    return isAbsent ? [] : [[name, readValue(field, part)]];
  });
  return Object.fromEntries(kept);
}

/** A list, object, number or boolean that was sent as JSON text, where the schema wants one and not this text. */
function readJsonText(schema: z.core.$ZodType, sent: unknown): unknown {
  if (typeof sent !== 'string') return sent;
  const types = typesOf(schema);
  if (types.length === 0 || z.safeParse(schema, sent).success) return sent;
  if (hasTooManyValues(Buffer.from(sent))) return sent;
  const value = parseJson(sent);
  return types.includes(Array.isArray(value) ? 'array' : typeof value) ? value : sent;
}

/** The types of the values that a schema accepts beside texts and null. */
function typesOf(schema: z.core.$ZodType): readonly string[] {
  const known = unwrapped(schema);
  if (known instanceof z.core.$ZodUnion) return known._zod.def.options.flatMap(typesOf);
  const { type } = known._zod.def;
  return ['array', 'object', 'number', 'boolean'].filter((one) => one === type);
}

/** The schema of the values of an optional field, before they are transformed. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.core.$ZodPipe) return unwrapped(schema._zod.def.in);
  const isWrapped =
    schema instanceof z.core.$ZodOptional ||
    schema instanceof z.core.$ZodNullable ||
    schema instanceof z.core.$ZodDefault;
  return isWrapped ? unwrapped(schema._zod.def.innerType) : schema;
}

/** A name that a client sent, without characters that a terminal or a page would interpret. */
function bare(name: string): string {
  return quoted(name).slice(1, -1);
}

function toInvalidFields(issue: z.core.$ZodIssue, args: unknown, tool: string) {
  if (issue.code === 'unrecognized_keys') {
    const message = `is not a field of ${tool}`;
    return issue.keys
      .slice(0, maxReported)
      .map((key) => ({ path: bare(pathOf([...issue.path, key])), message }));
  }
  const sentValue = valueAt(args, issue.path);
  const message = sentValue === undefined ? issue.message : `${issue.message} (sent: ${sentValue})`;
  return [{ path: pathOf(issue.path) || 'arguments', message }];
}

/** `files[3].path` */
function pathOf(path: readonly PropertyKey[]): string {
  const joined = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
  return joined.join('').replace(/^\./, '');
}

/** A value as it was sent, as text; undefined if it is redacted or not a simple value. */
function valueAt(args: unknown, path: readonly PropertyKey[]): string | undefined {
  if (isRedacted(path)) return undefined;
  const value = path.reduce<unknown>((at, part) => propertyOf(at, part), args);
  if (typeof value === 'string') return quoted(cut(value));
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function propertyOf(value: unknown, part: PropertyKey): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
  return Reflect.get(value, part);
}

function cut(value: string): string {
  return value.length > maxShownLength ? `${value.slice(0, maxShownLength)}…` : value;
}
