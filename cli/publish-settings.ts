import type { Input } from '../web/app/api/contract.ts';
import { usageError } from './command-error.ts';
import { domainIdOf } from './domain-commands.ts';
import type { Options } from './options.ts';
import type { Session } from './session.ts';
import { lineOf } from './terminal.ts';

/** Settings of a project that a command line chooses. */
export type ChosenSettings = Pick<
  Input<'createProject'>,
  'slug' | 'domainId' | 'workspaceId' | 'access' | 'password' | 'expiresIn' | 'expiresAt'
> & { spa?: boolean; people?: string[] };

/** The options that are settings of a project, and not of a version or a preview. */
export const settingOptions = [
  'title',
  'slug',
  'domain',
  'workspace',
  'people',
  'password-stdin',
  'spa',
] as const;

const accesses = ['public', 'private', 'people', 'identify'] as const;
const lifetimes = ['15m', '1h', '24h', '7d'] as const;

/**
 * The settings that a command line chooses. The password is read from standard input.
 * @throws CommandError for a value that does not exist, and for a missing password
 */
export async function chosenSettings(session: Session, options: Options): Promise<ChosenSettings> {
  const { slug, domain, workspace, expires, spa } = options;
  return {
    ...(slug !== undefined && { slug }),
    ...(domain !== undefined && { domainId: await domainIdOf(session, domain) }),
    ...(workspace !== undefined && { workspaceId: workspace }),
    ...(await chosenAccess(session, options)),
    ...(expires !== undefined && endOf(expires, new Date())),
    ...(spa !== undefined && { spa }),
  };
}

/** Who may view it. A list of people alone says so too. */
async function chosenAccess(
  { context }: Session,
  { access, people, ...options }: Options,
): Promise<Pick<ChosenSettings, 'access' | 'password' | 'people'>> {
  if (options['password-stdin'] === true) {
    if (access !== undefined || people !== undefined) {
      throw usageError('--password-stdin excludes --access and --people.');
    }
    return { access: 'password', password: await lineOf(context.stdin) };
  }
  if (people !== undefined) {
    return { access: accessNamed(access ?? 'people'), people: listOf(people) };
  }
  return access === undefined ? {} : { access: accessNamed(access) };
}

/** The entries of a list. */
export function listOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((entry) => entry !== '');
}

const unitSeconds: Record<string, number> = { m: 60, h: 3600, d: 86_400 };

/**
 * The end of a project: a lifetime that the service knows, another number of minutes, hours or days from now, or a
 * date, which is there until its end in the time zone of this computer, or an instant (ISO 8601).
 * @throws CommandError
 */
export function endOf(text: string, now: Date): Pick<ChosenSettings, 'expiresIn' | 'expiresAt'> {
  const expiresIn = lifetimes.find((one) => one === text);
  if (expiresIn !== undefined) return { expiresIn };
  return { expiresAt: instantOf('--expires', text, now) };
}

/** The instant that an option or a setting names: a time from now, the end of a day, or an instant. @throws CommandError */
export function instantOf(name: string, text: string, now: Date): string {
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const seconds = Number(count) * (unitSeconds[unit] ?? 0);
  const end = count === undefined ? namedEnd(text) : new Date(now.getTime() + seconds * 1000);
  if (end !== undefined) return end.toISOString();
  throw usageError(
    `${name} must be a time such as 15m, 1h, 7d or 30d, or a date such as 2030-12-24.`,
    'Correct it, then run the command again.',
  );
}

/** The instant, or the end of the day, that a text names (ISO 8601). */
function namedEnd(text: string): Date | undefined {
  const [, day = ''] = /^(\d{4}-\d{2}-\d{2})(?:T.+)?$/.exec(text) ?? [];
  // JavaScript reads 30 February as a day of March.
  if (new Date(`${day}T00:00Z`).getUTCDate() !== Number(day.slice(8))) return undefined;
  const end = new Date(day === text ? `${text}T23:59:59` : text);
  return Number.isNaN(end.getTime()) ? undefined : end;
}

function accessNamed(text: string): (typeof accesses)[number] {
  const found = accesses.find((one) => one === text);
  if (found !== undefined) return found;
  throw usageError(`--access must be one of ${accesses.join(', ')}.`, 'Run: slipway help publish');
}
