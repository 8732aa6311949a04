import { ApiError, isRateLimited, OtherAccountError } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import type { Output } from '../api/contract.ts';
import { factsOf, fileOf, isSourceFolder, loosePages, withLeftOut } from './picked.ts';
import { forgetUpload, keepUpload } from './interrupted.ts';
import { ConnectionLostError, delay, sendPart } from './send-part.ts';
import {
  FailedWhileStoring,
  newUpload,
  nextSpeed,
  questionOf,
  type UploadChoices,
  type UploadParts,
  type UploadResult,
  type UploadState,
} from './upload-state.ts';

type Announced = Output<'beginUpload'>;
type Part = Announced['parts'][number];

/** Files sent at once: more would share the same connection. */
const maxParallel = 4;
const retryMs = 2000;
const speedMs = 1000;

/**
 * One upload: announces the files, sends them to signed URLs, publishes them, and waits until they are
 * stored. A file, or a part of a large one, that was sent is not sent again, also after a pause or a lost network.
 */
export class Upload {
  state: UploadState;
  /** The account that chose the files. */
  readonly account: string;
  readonly #notify: () => void;
  readonly #onPublished: (result: UploadResult) => void;
  #announced: Announced | undefined;
  /** Bytes, by the numbers of the announced parts. */
  readonly #sent = new Map<number, number>();
  readonly #complete = new Set<number>();
  #choices: UploadChoices;
  #stop = new AbortController();
  #isCancelled = false;
  /** Whether a folder of source code would have been recognised already. */
  #isChecked = false;
  #idempotencyKey: string;

  constructor({ account, state, notify, onPublished, choices = {}, interrupted }: UploadParts) {
    this.#choices = choices;
    this.state = state;
    this.account = account;
    this.#notify = notify;
    this.#onPublished = onPublished;
    this.#idempotencyKey = interrupted?.idempotencyKey ?? crypto.randomUUID();
    this.#announced = interrupted?.announced;
    for (const at of interrupted?.complete ?? []) {
      const part = this.#announced?.parts[at];
      if (part === undefined) continue;
      this.#complete.add(at);
      this.#sent.set(at, this.#bytesOf(part).size);
    }
  }

  start(): void {
    void this.#run();
  }

  pause(): void {
    this.#change({ isPaused: true });
    this.#stop.abort();
  }

  resume(): void {
    this.#change({ isPaused: false });
  }

  /** A new upload of the same files with one choice more, to the same address; hidden ones are those left out too. */
  again(choice: UploadChoices): UploadParts {
    const { picked, target, title, result } = this.state;
    const projectId = result?.projectId ?? '';
    const files = choice.includeHidden === true ? withLeftOut(picked) : picked;
    const live = { kind: 'version', projectId, projectTitle: title, isLive: true } as const;
    return {
      account: this.account,
      state: newUpload(files, target.kind === 'project' ? live : target),
      notify: this.#notify,
      onPublished: this.#onPublished,
      choices: { ...this.#choices, ...choice },
    };
  }

  cancel(): void {
    this.#isCancelled = true;
    this.#stop.abort();
  }

  /** Goes on with the answer to a question. */
  answer(choice: UploadChoices): void {
    this.#choices = { ...this.#choices, ...choice };
    // Another answer makes another request, which needs another key.
    this.#idempotencyKey = crypto.randomUUID();
    void this.#run();
  }

  async #run(): Promise<void> {
    this.#change({ phase: 'sending', error: undefined });
    try {
      if ((await this.#asksAboutSource()) || this.#asksForHome()) return;
      await this.#send();
      if (this.#isCancelled) return;
      this.#change({ phase: 'storing' });
      const result = await this.#publish();
      forgetUpload(this.state.id);
      this.#change({ phase: 'done', result });
      this.#onPublished(result);
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  async #asksAboutSource(): Promise<boolean> {
    const { picked, target } = this.state;
    if (this.#isChecked || target.kind === 'files' || !(await isSourceFolder(picked))) return false;
    this.#isChecked = true;
    this.#change({ phase: 'asking', question: { kind: 'source' } });
    return true;
  }

  /** Pages that are not in a ZIP are published whatever opens first, so the service asks nothing. */
  #asksForHome(): boolean {
    const { picked, target } = this.state;
    const htmlPaths = target.kind === 'files' ? [] : loosePages(picked);
    if (htmlPaths.length === 0 || this.#choices.zipIndexHtmlPath !== undefined) return false;
    this.#change({ phase: 'asking', question: { kind: 'home', htmlPaths } });
    return true;
  }

  #fail(error: Error): void {
    if (error instanceof FailedWhileStoring) {
      // The service kept nothing of it, so all files are sent again.
      this.#announced = undefined;
      this.#idempotencyKey = crypto.randomUUID();
    }
    const question = error instanceof ApiError ? questionOf(error) : undefined;
    if (question !== undefined) {
      this.#change({ phase: 'asking', question });
      return;
    }
    // A new attempt asks for new URLs: these may have expired.
    if (!(error instanceof ApiError) || error.status === 404) this.#announced = undefined;
    this.#change({ phase: 'failed', error });
    if (isRateLimited(error))
      setTimeout(() => this.#retryAfter(error), error.retryAfterSeconds * 1000);
  }

  /** Sends files that wait for the end of a rate limit, unless somebody did or cancelled. */
  #retryAfter(error: Error): void {
    if (!this.#isCancelled && this.state.error === error) this.start();
  }

  async #send(): Promise<void> {
    await this.#checkAccount();
    this.#announced ??= await this.#announce();
    this.#keep();
    const waiting = this.#announced.parts.entries();
    const work = async () => {
      for (const [at, part] of waiting) if (!this.#complete.has(at)) await this.#sendOne(at, part);
    };
    const timer = this.#measureSpeed();
    try {
      await Promise.all(Array.from({ length: maxParallel }, work));
    } finally {
      clearInterval(timer);
    }
  }

  async #announce(): Promise<Announced> {
    this.#sent.clear();
    this.#complete.clear();
    const { picked } = this.state;
    const files = picked.files.map(({ path, file }) => ({ path, size: file.size }));
    return call('beginUpload', { files, inParts: true });
  }

  /**
   * Where the session has ended, this asks to sign in: an upload of nobody could not be published.
   * @throws OtherAccountError; then the upload is over
   */
  async #checkAccount(): Promise<void> {
    const { email } = await call('getUser', {});
    if (email === this.account) return;
    this.cancel();
    forgetUpload(this.state.id);
    throw new OtherAccountError();
  }

  #bytesOf({ path, offset = 0, size }: Part): Blob {
    const file = fileOf(this.state.picked, path);
    if (file === undefined) throw new Error(`${path} was not picked.`);
    return size === undefined ? file : file.slice(offset, offset + size);
  }

  /** Tries until the part is sent: a pause or a lost network only delays it. */
  async #sendOne(at: number, part: Part): Promise<void> {
    const { url } = part;
    const body = this.#bytesOf(part);
    while (!this.#isCancelled) {
      await this.#untilAllowed();
      try {
        const onProgress = (bytes: number) => this.#progress(at, bytes);
        await sendPart({ url, body, contentType: '', onProgress }, this.#stop.signal);
        this.#progress(at, body.size);
        this.#complete.add(at);
        this.#keep();
        return;
      } catch (error) {
        if (!(error instanceof ConnectionLostError)) throw error;
        this.#progress(at, 0);
        if (!this.state.isPaused) await delay(retryMs);
      }
    }
  }

  async #untilAllowed(): Promise<void> {
    while (!this.#isCancelled && (this.state.isPaused || !navigator.onLine)) {
      if (!this.state.isPaused) this.#change({ isWaiting: true });
      await delay(250);
    }
    if (this.state.isWaiting) this.#change({ isWaiting: false });
    if (this.#stop.signal.aborted && !this.#isCancelled) this.#stop = new AbortController();
  }

  /** Keeps what a reload of the page would lose. */
  #keep(): void {
    const { id, title, target, picked } = this.state;
    if (this.#announced === undefined || this.#isCancelled) return;
    keepUpload({
      id,
      account: this.account,
      title,
      target,
      files: factsOf(picked),
      announced: this.#announced,
      complete: [...this.#complete],
      idempotencyKey: this.#idempotencyKey,
    });
  }

  #progress(at: number, bytes: number): void {
    this.#sent.set(at, bytes);
    const sentBytes = [...this.#sent.values()].reduce((sum, one) => sum + one, 0);
    this.#change({ sentBytes: Math.min(sentBytes, this.state.totalBytes) });
  }

  #measureSpeed(): ReturnType<typeof setInterval> {
    let before = this.state.sentBytes;
    return setInterval(() => {
      const { sentBytes, bytesPerSecond } = this.state;
      const speed = nextSpeed(bytesPerSecond, Math.max(0, sentBytes - before), speedMs / 1000);
      before = sentBytes;
      this.#change({ bytesPerSecond: speed });
    }, speedMs);
  }

  async #publish(): Promise<UploadResult> {
    const { target, title, picked } = this.state;
    const { publishSent } = await import('./publish-sent.ts');
    return publishSent(
      {
        target,
        title,
        picked,
        uploadId: this.#announced?.uploadId ?? '',
        choices: this.#choices,
        idempotencyKey: this.#idempotencyKey,
      },
      () => this.#isCancelled,
    );
  }

  #change(fields: Partial<UploadState>): void {
    this.state = { ...this.state, ...fields };
    this.#notify();
  }
}
