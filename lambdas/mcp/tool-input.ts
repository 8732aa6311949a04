import type * as z from 'zod';
import type { Tool } from '../../contract/tool.ts';
import { quoted } from '../../core/content/safe-path.ts';
import { invalidInput } from '../http/invalid-input.ts';

/** Values that are secret, or as long as a file. */
const untold = new Set<PropertyKey>(['password', 'zipBase64', 'content']);
const maxShownLength = 60;
/** Items of any list that a tool takes. */
const maxItems = 2000;
const maxFaults = 20;

/**
 * The arguments of a call; a field that the tool does not have is an error that names it.
 * @throws CodedError INVALID_REQUEST
 */
export function toolInput<I extends z.ZodObject, O extends z.ZodObject>(
  { name, input }: Pick<Tool<I, O>, 'name' | 'input'>,
  args: unknown,
): z.infer<I> {
  const unread = Object.entries(args ?? {}).flatMap(unreadable);
  if (unread.length > 0) throw invalidInput('INVALID_REQUEST', unread.slice(0, maxFaults));
  const parsed = input.safeParse(args ?? {});
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, maxFaults);
  throw invalidInput(
    'INVALID_REQUEST',
    issues.flatMap((issue) => faultsOf(issue, args, name)),
  );
}

/**
 * What no schema is to see. Zod looks at every item, and two million wrong ones are a gigabyte of
 * faults; half of a surrogate pair is no character, and no store takes it (RFC 8259 §8.2).
 */
function unreadable([name, value]: [string, unknown]) {
  const path = quoted(name);
  if (Array.isArray(value) && value.length > maxItems) {
    return [{ path, message: `holds more than ${maxItems} items` }];
  }
  const isHalved = typeof value === 'string' && /\p{Cs}/u.test(value);
  return isHalved ? [{ path, message: 'has half of a surrogate pair' }] : [];
}

function faultsOf(issue: z.core.$ZodIssue, args: unknown, tool: string) {
  if (issue.code === 'unrecognized_keys') {
    const message = `is not a field that ${tool} takes here`;
    return issue.keys
      .slice(0, maxFaults)
      .map((key) => ({ path: quoted(pathOf([...issue.path, key])), message }));
  }
  const shown = valueAt(args, issue.path);
  const message = shown === undefined ? issue.message : `${issue.message} (sent: ${shown})`;
  return [{ path: pathOf(issue.path) || 'arguments', message }];
}

/** `files[3].path` */
function pathOf(path: readonly PropertyKey[]): string {
  const joined = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
  return joined.join('').replace(/^\./, '');
}

/** A plain value as it was sent, where it may be told. */
function valueAt(args: unknown, path: readonly PropertyKey[]): string | undefined {
  if (path.some((part) => untold.has(part))) return undefined;
  const value = path.reduce<unknown>((at, part) => partOf(at, part), args);
  if (typeof value === 'string') return quoted(cut(value));
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function partOf(value: unknown, part: PropertyKey): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
  return Reflect.get(value, part);
}

function cut(value: string): string {
  return value.length > maxShownLength ? `${value.slice(0, maxShownLength)}…` : value;
}
