import type * as z from 'zod';
import type { Tool } from '../../contract/tool.ts';
import { quoted } from '../../core/content/inline-files.ts';
import { invalidInput } from '../runtime/invalid-input.ts';

/** Values that are secret, or as long as a file. */
const untold = new Set<PropertyKey>(['password', 'zipBase64', 'content']);
const maxShownLength = 60;
/** Fields that a tool does not have; a call may hold hundreds of thousands. */
const maxUnknown = 50;

/**
 * The arguments of a call; a field that the tool does not have is an error that names it.
 * @throws CodedError INVALID_REQUEST
 */
export function toolInput<I extends z.ZodObject, O extends z.ZodObject>(
  { name, input }: Pick<Tool<I, O>, 'name' | 'input'>,
  args: unknown,
): z.infer<I> {
  const parsed = input.safeParse(args ?? {});
  if (parsed.success) {
    refuseHalves(parsed.data);
    return parsed.data;
  }
  throw invalidInput(
    'INVALID_REQUEST',
    parsed.error.issues.flatMap((issue) => faultsOf(issue, args, name)),
  );
}

/** A text that was cut within an emoji: no table takes it (RFC 8259 §8.2). Files are looked at as they are decoded. */
function refuseHalves(data: Record<string, unknown>): void {
  const message = 'holds half of a surrogate pair; send the whole character';
  const halves = Object.entries(data).filter(
    ([, value]) => typeof value === 'string' && /\p{Cs}/u.test(value),
  );
  if (halves.length === 0) return;
  const faults = halves.map(([path]) => {
    const shown = valueAt(data, [path]);
    return { path, message: shown === undefined ? message : `${message} (sent: ${shown})` };
  });
  throw invalidInput('INVALID_REQUEST', faults);
}

function faultsOf(issue: z.core.$ZodIssue, args: unknown, tool: string) {
  if (issue.code === 'unrecognized_keys') {
    const message = `is not a field that ${tool} takes here`;
    return issue.keys
      .slice(0, maxUnknown)
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
