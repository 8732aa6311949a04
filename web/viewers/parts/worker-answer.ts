import { ViewerError } from './fetch-file.ts';

/** What a worker sends back, perhaps after parts of it. */
type WorkerAnswer<Result> = { result: Result } | { error: string };
type WorkerPart<Part> = { part: Part };

const unreadable = 'The file is damaged, or it uses a feature that this page does not support.';

/**
 * Answers each message of the page with what `work` makes of it, or with a sentence that says why not.
 * What `work` gives to `sendPart` is sent at once.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- says what the page sends
export function answerMessages<Request>(
  work: (request: Request, sendPart: (part: unknown) => void) => unknown,
): void {
  addEventListener('message', ({ data }: MessageEvent<Request>) => {
    const sendPart = (part: unknown) => postMessage({ part });
    void answerTo(async () => work(data, sendPart)).then((answer) => postMessage(answer));
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
export interface WorkerTask<Request, Part> {
  /** The address of its script, which is loaded while the request is made. */
  script: string;
  /** The message to it, and what is moved there instead of copied. */
  request: Promise<{ message: Request; moved: Transferable[] }>;
  /** From the message on. */
  seconds: number;
  onPart?: (part: Part) => void;
}

/**
 * Lets a worker of its own do something and ends it, at the latest `seconds` after the request.
 * @throws ViewerError if it fails or takes too long
 */
export async function runWorker<Request, Result, Part = unknown>({
  script,
  request,
  seconds,
  onPart,
}: WorkerTask<Request, Part>): Promise<Result> {
  const worker = new Worker(script, { type: 'module' });
  try {
    const answer = await new Promise<WorkerAnswer<Result>>((resolve, reject) => {
      worker.addEventListener(
        'message',
        ({ data }: MessageEvent<WorkerAnswer<Result> | WorkerPart<Part>>) => {
          if ('part' in data) onPart?.(data.part);
          else resolve(data);
        },
      );
      worker.addEventListener('error', () => resolve({ error: unreadable }));
      request.then(({ message, moved }) => {
        setTimeout(() => resolve({ error: 'The file takes too long to open.' }), seconds * 1000);
        worker.postMessage(message, moved);
      }, reject);
    });
    if ('error' in answer) throw new ViewerError(answer.error);
    return answer.result;
  } finally {
    worker.terminate();
  }
}
