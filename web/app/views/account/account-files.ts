import { freeFolderName, nameFromText } from '../../../../core/content/distinct-names.ts';
import { ApiError, isRateLimited, OfflineError } from '../../api/api-error.ts';
import type { Output } from '../../api/contract.ts';
import type { ZippedFile } from './zip-stream.ts';

type Page = Output<'exportAccount'>;
type ExportedFile = Page['projects'][number]['versions'][number]['files'][number];

/** What is shown while the files of an account are read. */
export interface ZipProgress {
  title: string;
  projects: number;
  bytes: number;
  /** The bytes of the account's projects that are not archived. */
  ofBytes: number;
}

/** What the reading of files needs from outside. */
export interface AccountFilesDeps {
  signal: AbortSignal;
  onProgress: (progress: ZipProgress) => void;
  /** A page of the export. */
  page: (cursor: string | undefined) => Promise<Page>;
  /** Requests a file. */
  load: (url: string, headers: Headers) => Promise<Response>;
  wait: (ms: number) => Promise<void>;
}

/** A live file, and what finds it again when its link has ended. */
interface LiveFile {
  projectId: string;
  title: string;
  file: ExportedFile;
  cursor: string | undefined;
}

const waitMs = 2000;
/** Failures one after another without a byte in between: some minutes. */
const maxTries = 60;
/** Files up to this size are read a few ahead, because each waits for the network once. */
const smallBytes = 512 * 1024;
const readAhead = 4;
/** A longer wait is said instead of waited for. */
const longestWaitSeconds = 120;

/** The day's bytes of an account's own downloads are used up; see decision 0144. */
export class EnoughForTodayError extends Error {}

/** A file that was listed is gone: its project changed meanwhile. */
export class ChangedMeanwhileError extends Error {}

/**
 * The files of the live versions of all projects, each in a folder with its project's name. A broken connection
 * delays it, and goes on where it broke; a link that has ended is asked for again.
 * @throws EnoughForTodayError, ChangedMeanwhileError, and what the last of many tries threw
 */
export async function* accountFiles(deps: AccountFilesDeps): AsyncGenerator<ZippedFile> {
  const progress = { title: '', projects: 0, bytes: 0, ofBytes: 0 };
  const folders = new Map<string, string>();
  const waiting: { live: LiveFile; content: Promise<Uint8Array> | undefined }[] = [];
  const next = async (): Promise<ZippedFile | undefined> => {
    const first = waiting.shift();
    if (first === undefined) return undefined;
    const { projectId, title, file } = first.live;
    const folder =
      folders.get(projectId) ?? freeFolderName(folders.values(), nameFromText(title) || 'project');
    folders.set(projectId, folder);
    Object.assign(progress, { title, projects: folders.size });
    const bytes = first.content === undefined ? contentOf(deps, first.live) : [await first.content];
    return { path: `${folder}/${file.path}`, size: file.size, bytes: counted(bytes) };
  };
  async function* counted(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
    for await (const chunk of bytes) {
      progress.bytes += chunk.length;
      deps.onProgress({ ...progress });
      yield chunk;
    }
  }
  for await (const live of liveFiles(deps, (bytes) => (progress.ofBytes = bytes))) {
    const content = live.file.size <= smallBytes ? wholeOf(deps, live) : undefined;
    // It is awaited when its turn comes.
    content?.catch(() => undefined);
    waiting.push({ live, content });
    if (waiting.length <= readAhead) continue;
    const file = await next();
    if (file !== undefined) yield file;
  }
  for (let file = await next(); file !== undefined; file = await next()) yield file;
}

async function* liveFiles(
  deps: AccountFilesDeps,
  onBytes: (bytes: number) => void,
): AsyncGenerator<LiveFile> {
  let cursor: string | undefined;
  do {
    const page = await patiently(deps, () => deps.page(cursor));
    onBytes(page.account.storageBytes);
    yield* liveFilesOf(page, cursor);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
}

function liveFilesOf({ projects }: Page, cursor: string | undefined): LiveFile[] {
  return projects.flatMap(({ id, title, liveVersion, versions }) =>
    versions
      .filter(({ version }) => version === liveVersion)
      .flatMap(({ files }) => files.map((file) => ({ projectId: id, title, file, cursor }))),
  );
}

async function wholeOf(deps: AccountFilesDeps, live: LiveFile): Promise<Uint8Array> {
  const whole = new Uint8Array(live.file.size);
  let at = 0;
  for await (const chunk of contentOf(deps, live)) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** The bytes of a file, whatever breaks in between. */
async function* contentOf(deps: AccountFilesDeps, live: LiveFile): AsyncGenerator<Uint8Array> {
  const { size } = live.file;
  let { url } = live.file;
  let done = 0;
  for (let idle = 0; done < size; ) {
    const from = done;
    const answer = await patiently(deps, () => open(deps, url, from));
    if (answer === 'ended') {
      url = await linkAgain(deps, live);
      continue;
    }
    const reader = answer.getReader();
    try {
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        done += read.value.length;
        yield read.value;
      }
    } catch (error) {
      if (deps.signal.aborted) throw error;
    }
    idle = done === from ? idle + 1 : 0;
    if (idle === maxTries) throw new OfflineError('The file breaks off again and again.');
    if (done < size) await deps.wait(waitMs);
  }
}

/** The rest of a file from a byte on. */
async function open({ load }: AccountFilesDeps, url: string | undefined, from: number) {
  if (url === undefined) return 'ended';
  const headers = new Headers(from === 0 ? [] : [['range', `bytes=${from}-`]]);
  const response = await load(url, headers);
  const isRest = response.status === (from === 0 ? 200 : 206);
  if (isRest && response.body !== null) return response.body;
  if (response.status === 404) return 'ended';
  const retryAfterSeconds = Number(response.headers.get('retry-after')) || undefined;
  const isLimited = response.status === 429;
  if (isLimited && (retryAfterSeconds ?? 0) > longestWaitSeconds) throw new EnoughForTodayError();
  throw new ApiError(response.status, {
    ...(isLimited && { code: 'RATE_LIMITED' as const, retryAfterSeconds }),
  });
}

/** A new link to the same bytes. */
async function linkAgain(
  deps: AccountFilesDeps,
  { projectId, file, cursor }: LiveFile,
): Promise<string> {
  const page = await patiently(deps, () => deps.page(cursor));
  const same = liveFilesOf(page, cursor).find(
    (one) => one.projectId === projectId && one.file.path === file.path,
  );
  if (same?.file.url === undefined || same.file.hash !== file.hash || same.file.url === file.url)
    throw new ChangedMeanwhileError();
  return same.file.url;
}

/** Tries again while the network, a limit or a busy service may pass. */
async function patiently<T>(
  { signal, wait }: AccountFilesDeps,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      signal.throwIfAborted();
      return await attempt();
    } catch (error) {
      if (signal.aborted || tries === maxTries || !mayPass(error)) throw error;
      const seconds = isRateLimited(error) ? error.retryAfterSeconds : 0;
      if (seconds > longestWaitSeconds) throw error;
      await wait(Math.max(waitMs, seconds * 1000));
    }
  }
}

/** `fetch` throws a TypeError where there is no answer. */
function mayPass(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 429 || error.status >= 500;
  return error instanceof OfflineError || error instanceof TypeError;
}
