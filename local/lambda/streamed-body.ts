import { Readable } from 'node:stream';
import { type InvokeResult, maxStreamedBytes, type StreamResult } from './invoke-result.ts';
import type { Chunk } from './worker-replies.ts';

/** A response while it arrives. */
export type StreamedBody = ReturnType<typeof streamedBody>;

const octetStream = 'application/octet-stream';

/**
 * The response of a streaming function. `onRead` is called with the number of bytes that were read, so
 * that the function waits for a slow reader.
 *
 * Lambda does not stop a function whose client disconnected ("Response streaming for Lambda functions"):
 * the rest of its output is dropped.
 */
export function streamedBody(onRead: (bytes: number) => void) {
  const { promise: started, resolve: start } = createDeferred<StreamResult>();
  let sentBytes = 0;
  let unreadBytes = 0;
  const reportRead = () => {
    if (unreadBytes > 0) onRead(unreadBytes);
    unreadBytes = 0;
  };
  const body = new Readable({
    read: reportRead,
    destroy: (error, done) => {
      reportRead();
      done(error);
    },
  });
  // After the reader has gone, failures need no handling.
  body.on('error', () => undefined);

  return {
    /** Resolves with the first byte, or at the end of an invocation without output. */
    started,
    chunk({ contentType, bytes }: Chunk) {
      start({ ok: true, contentType, body });
      sentBytes += bytes.length;
      unreadBytes += bytes.length;
      if (sentBytes > maxStreamedBytes) {
        body.destroy(new Error(`The answer is longer than ${maxStreamedBytes} bytes.`));
      }
      if (body.destroyed || body.push(bytes)) reportRead();
    },
    end(result: InvokeResult) {
      start(result.ok ? { ok: true, contentType: octetStream, body } : result);
      if (result.ok) body.push(null);
      else body.destroy(new Error(`${result.errorType}: ${result.errorMessage}`));
    },
  };
}

function createDeferred<T>() {
  let settle: ((value: T) => void) | undefined;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: (value: T) => settle?.(value) };
}
