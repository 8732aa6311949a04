import { types } from 'node:util';
import { ApiError } from '../web/app/api/api-error.ts';
import { formatDuration } from '../web/app/texts/format.ts';
import { CommandError, exitCodes } from './command-error.ts';

/** What to do next, in the words of this command. */
const nextSteps: Readonly<Record<string, string>> = {
  API_KEY_MISSING: 'Run: slipway login',
  API_KEY_INVALID: 'Run: slipway login',
  API_KEY_EXPIRED: 'Run: slipway login',
  VALIDATION_FAILED: 'Correct it, then run the command again.',
  INVALID_REQUEST: 'Correct it, then run the command again.',
  SECRETS_FOUND: 'Remove the keys, or add --allow-secrets if everybody may read them.',
  ZIP_MULTIPLE_HTML: 'Name the home page with --home PATH, or add --as-files for a list of files.',
  PAYLOAD_TOO_LARGE: 'Publish less, or sign in for larger limits: slipway login',
  FILE_TYPE_REFUSED: 'Rename or remove this file, or name it in .slipwayignore.',
  TOO_MANY_FILES: 'Publish fewer files. slipway whoami tells which plan you have.',
  PROJECT_LIMIT_REACHED: 'Delete a project that you no longer need: slipway rm PROJECT',
  STORAGE_LIMIT_REACHED: 'Delete a project that you no longer need: slipway rm PROJECT',
  DOMAIN_LIMIT_REACHED: 'Remove a domain that you no longer need: slipway domains rm DOMAIN',
  DOMAIN_NOT_READY: 'See which DNS records are missing: slipway domains check DOMAIN',
  WORKSPACE_LIMIT_REACHED: 'Delete a workspace that you no longer need, in the dashboard.',
  FORBIDDEN: 'Use a key that may do this, or sign in yourself: slipway login',
  UPLOAD_LINK_NOT_FOUND: 'slipway request-files list shows your links.',
  SLUG_TAKEN: 'Choose another name with --slug.',
  NOT_FOUND: 'slipway list shows your projects; slipway unlink forgets the one of this folder.',
  VERSION_CONFLICT: 'Somebody else published meanwhile. Run the same command again.',
  FREE_TIER_RESTRICTED:
    'Your plan does not include this. slipway publish --new makes a new project.',
};

/**
 * What failed, for the user.
 * @param signal of the interruption by the user
 * @throws another error, which is a bug
 */
export function failureOf(error: unknown, signal: AbortSignal): CommandError {
  if (error instanceof CommandError) return error;
  if (signal.aborted) return new CommandError(exitCodes.interrupted, 'Stopped.');
  if (error instanceof ApiError) return describeRefusal(error);
  // A file that cannot be read or written.
  if (types.isNativeError(error) && 'syscall' in error) {
    return new CommandError(exitCodes.refused, `${error.message}.`);
  }
  throw error;
}

/** A refusal of the service as a failure of the command. */
function describeRefusal(error: ApiError): CommandError {
  const { status, code, message, htmlPaths, keys, details, retryAfterSeconds } = error;
  const places = keys?.findings.map(({ path, line, kind }) => `  ${path}:${line} (${kind})`) ?? [];
  const pages = htmlPaths.map((path) => `  ${path}`);
  const fields = details
    .filter(({ message: said }) => !message.includes(said))
    .map(({ path, message: said }) => `${path}: ${said}`);
  const wait =
    retryAfterSeconds === undefined
      ? undefined
      : `Run the same command again in ${formatDuration(retryAfterSeconds)}.`;
  return new CommandError(
    status === 401 ? exitCodes.signedOut : exitCodes.refused,
    [message, ...places, ...pages, ...fields].join('\n'),
    { code, next: nextSteps[code] ?? wait ?? adviceOf(error) },
  );
}

/** What the service advises, unless that is for programs: then it names requests and fields. */
function adviceOf({ status, nextStep }: ApiError): string | undefined {
  if (status >= 500) return 'Run the same command again. If that fails too, tell the operator.';
  return /`|\b(?:GET|POST|PUT|PATCH|DELETE) \//.test(nextStep ?? '') ? undefined : nextStep;
}
