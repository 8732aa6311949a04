import { ViewerError } from './fetch-file.ts';

/** What a worker sends back, perhaps after the start of it. */
type WorkerAnswer<Result> = { result: Result } | { error: string };
type WorkerStart<Result> = { start: Result };

const unreadable = 'The file is damaged, or it uses a feature that this page does not support.';

/**
 * Answers each message of the page with what `work` makes of it, or with a sentence that says why not.
 * What it gives to `showStart` is sent at once.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- says what the page sends
export function answerMessages<Request>(
  work: (request: Request, showStart: (start: unknown) => void) => unknown,
): void {
  addEventListener('message', ({ data }: MessageEvent<Request>) => {
    const showStart = (start: unknown) => postMessage({ start });
    void answerTo(async () => work(data, showStart)).then((answer) => postMessage(answer));
  });
}

async function answerTo(work: () => Promise<unknown>): Promise<WorkerAnswer<unknown>> {
  try {
    return { result: await work() };
  } catch (error) {
    return { error: error instanceof ViewerError ? error.message : unreadable };
  }
}

/** How long and with what a worker does its work. */
export interface WorkerTask<Request, Result = unknown> {
  /** The address of its script. */
  script: string;
  request: Request;
  /** What is moved there instead of copied. */
  moved: Transferable[];
  seconds: number;
  onStart?: (start: Result) => void;
}

/**
 * Lets a worker of its own do something and ends it, at the latest after `seconds`.
 * @throws ViewerError if it fails or takes too long
 */
export async function runWorker<Request, Result>({
  script,
  request,
  moved,
  seconds,
  onStart,
}: WorkerTask<Request, Result>): Promise<Result> {
  const worker = new Worker(script, { type: 'module' });
  try {
    const answer = await new Promise<WorkerAnswer<Result>>((resolve) => {
      worker.addEventListener(
        'message',
        ({ data }: MessageEvent<WorkerAnswer<Result> | WorkerStart<Result>>) => {
          if ('start' in data) onStart?.(data.start);
          else resolve(data);
        },
      );
      worker.addEventListener('error', () => resolve({ error: unreadable }));
      setTimeout(() => resolve({ error: 'The file takes too long to open.' }), seconds * 1000);
      worker.postMessage(request, moved);
    });
    if ('error' in answer) throw new ViewerError(answer.error);
    return answer.result;
  } finally {
    worker.terminate();
  }
}
