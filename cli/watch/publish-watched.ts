import { createHash, randomBytes } from 'node:crypto';
import { CommandError, exitCodes } from '../command-error.ts';
import { hashOf, type LocalFile } from '../local-file.ts';
import type { LocalFiles } from '../local-files.ts';
import type { Options } from '../options.ts';
import { endPreview, pushPreview, requirePreviewable } from '../previews.ts';
import { countOf, tell } from '../published.ts';
import { failureOf } from '../refusals.ts';
import type { Session } from '../session.ts';
import { openInBrowser } from '../terminal.ts';
import { type OnFolder, watchFolders } from './watch-folders.ts';

interface Watched {
  projectId: string;
  options: Options;
  /** Reads the files; it names each folder before it reads it. */
  collect(onFolder: OnFolder): Promise<LocalFiles>;
}

/** A preview that the command named itself ends a day after its last push, should the command be killed. */
const lifeOfOwn = '24h';

/** Failures that no change of a file removes. */
const lastingCodes = new Set(['FREE_TIER_RESTRICTED', 'INVALID_REQUEST', 'NOT_FOUND']);
const lastingExits: readonly number[] = [exitCodes.usage, exitCodes.signedOut];

/**
 * `publish --watch`: shows the files as one preview of the project, and pushes them again when they change, until the
 * user stops it. The preview ends then, unless the user named it. A failed push is said, and the next change tries
 * again.
 * @throws CommandError where the last push failed, and where the first one failed for a reason that no change of a file
 * removes
 */
export async function publishWatched(session: Session, watched: Watched): Promise<void> {
  const { signal } = session.context;
  const { projectId, options } = watched;
  requirePreviewable(options);
  // A push that has begun is brought to its end, so that none comes after the preview was ended.
  const service = session.service.withSignal(aMomentAfter(signal));
  const name = options.preview ?? `watch-${randomBytes(3).toString('hex')}`;
  const push = pushesTo({ ...session, service }, watched, name);
  const folders = watchFolders();
  let state: CommandError | undefined = new CommandError(exitCodes.interrupted, 'Stopped.');
  try {
    while (!signal.aborted) {
      const failure = await folders
        .around(async (onFolder) => watched.collect(onFolder))
        .then(push)
        .catch((error: unknown) => failureOf(error, signal));
      if (signal.aborted) break;
      if (failure !== undefined && isFinal(failure, state)) throw failure;
      if (failure !== undefined) session.fail(failure);
      state = failure;
      await folders.nextChange(signal).catch(() => {});
    }
  } finally {
    folders.close();
    if (options.preview === undefined) await endPreview(service, projectId, name);
  }
  if (state?.exitCode === exitCodes.interrupted) throw state;
  if (state !== undefined) {
    throw new CommandError(state.exitCode, 'Stopped. The last change is not published.');
  }
  session.say(
    options.preview === undefined
      ? 'Stopped. The preview has ended.'
      : 'Stopped. The preview stays.',
  );
}

/** Whether the first push failed for a reason that no change of a file removes. */
function isFinal({ exitCode, code }: CommandError, before: CommandError | undefined): boolean {
  return (
    before?.exitCode === exitCodes.interrupted &&
    (lastingExits.includes(exitCode) || lastingCodes.has(code ?? ''))
  );
}

/** Aborts ten seconds after another signal. */
function aMomentAfter(signal: AbortSignal): AbortSignal {
  const late = new AbortController();
  signal.addEventListener('abort', () => void setTimeout(() => late.abort(), 10_000).unref());
  return late.signal;
}

/** Pushes to one preview. The first says all about it; later ones are a line each, and none where nothing changed. */
function pushesTo(session: Session, { projectId, options }: Watched, name: string) {
  const isOwn = options.preview === undefined;
  const lived =
    isOwn && options.expires === undefined ? { ...options, expires: lifeOfOwn } : options;
  const markOf = contentMarks();
  let shown: string | undefined;
  return async (files: LocalFiles): Promise<undefined> => {
    const mark = await markOf(files.files);
    if (mark === shown) return;
    const result = await pushPreview(session, { projectId, files, options: lived, name });
    if (shown === undefined) {
      tell(session, isOwn ? { ...result, expiresAt: null } : result);
      session.say('Watching for changes. Press Ctrl-C to stop.');
      if (options.open === true) await openInBrowser(session.context, result.url);
    } else {
      for (const { message } of result.warnings) session.say(`Note: ${message}`);
      session.say(`${new Date().toTimeString().slice(0, 8)} Published ${countOf(files)}.`);
      if (options.json === true) session.answer(result, []);
    }
    shown = mark;
  };
}

/** Names the paths and contents of some files. A file is read again when its size or its time differs. */
function contentMarks() {
  const known = new Map<string, { stamp: string; hash: string }>();
  return async (files: readonly LocalFile[]): Promise<string> => {
    const mark = createHash('sha256');
    for (const file of files) {
      const stamp = `${file.size} ${file.changedMs}`;
      let seen = known.get(file.path);
      if (seen?.stamp !== stamp) {
        seen = { stamp, hash: await hashOf(file) };
        known.set(file.path, seen);
      }
      mark.update(`${JSON.stringify([file.path, seen.hash])}\n`);
    }
    return mark.digest('base64url');
  };
}
