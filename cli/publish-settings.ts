import type { Input } from '../web/app/api/contract.ts';
import { usageError } from './command-error.ts';
import { domainIdOf } from './domain-commands.ts';
import type { Options } from './options.ts';
import type { Session } from './session.ts';
import { lineOf } from './terminal.ts';

/** Settings of a project that a command line chooses. */
export type ChosenSettings = Pick<
  Input<'createProject'>,
  'slug' | 'domainId' | 'workspaceId' | 'access' | 'password' | 'expiresIn'
> & { spa?: boolean };

const accesses = ['public', 'private'] as const;
const lifetimes = ['15m', '1h', '24h', '7d'] as const;

/**
 * The settings that a command line chooses. The password is read from standard input.
 * @throws CommandError for a value that does not exist, and for a missing password
 */
export async function chosenSettings(session: Session, options: Options): Promise<ChosenSettings> {
  const { slug, domain, workspace, access, expires, spa } = options;
  const needsPassword = options['password-stdin'] === true;
  if (needsPassword && access !== undefined) {
    throw usageError('--password-stdin and --access exclude each other.');
  }
  const password = needsPassword ? await lineOf(session.context.stdin) : undefined;
  return {
    ...(slug !== undefined && { slug }),
    ...(domain !== undefined && { domainId: await domainIdOf(session, domain) }),
    ...(workspace !== undefined && { workspaceId: workspace }),
    ...(access !== undefined && { access: oneOf('access', access, accesses) }),
    ...(password !== undefined && { password, access: 'password' }),
    ...(expires !== undefined && { expiresIn: oneOf('expires', expires, lifetimes) }),
    ...(spa !== undefined && { spa }),
  };
}

function oneOf<T extends string>(option: string, value: string, values: readonly T[]): T {
  const found = values.find((one) => one === value);
  if (found !== undefined) return found;
  throw usageError(`--${option} must be one of ${values.join(', ')}.`, 'Run: slipway help publish');
}
