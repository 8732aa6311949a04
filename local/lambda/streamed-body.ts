import { Readable } from 'node:stream';
import { type InvokeResult, maxStreamedBytes, type StreamResult } from './invoke-result.ts';
import type { Chunk } from './worker-replies.ts';

/** An answer while it arrives. */
export interface StreamedBody {
  /** Resolves with the first byte, or when the invocation ends without one. */
  started: Promise<StreamResult>;
  chunk(chunk: Chunk): void;
  end(result: InvokeResult): void;
}

const octetStream = 'application/octet-stream';

/**
 * The answer of a streaming function as a stream; `onTaken` is told how many bytes were read of it,
 * so that the function waits for a slow reader.
 *
 * Lambda does not stop a function whose client went away ("Response streaming for Lambda functions"):
 * what comes after that is thrown away as fast as it comes.
 */
export function streamedBody(onTaken: (bytes: number) => void): StreamedBody {
  const { promise: started, resolve: start } = withResolve<StreamResult>();
  let sentBytes = 0;
  let untakenBytes = 0;
  const takeAll = () => {
    if (untakenBytes > 0) onTaken(untakenBytes);
    untakenBytes = 0;
  };
  const body = new Readable({
    read: takeAll,
    destroy: (error, done) => {
      takeAll();
      done(error);
    },
  });
  // A reader that has gone hears of no failure.
  body.on('error', () => undefined);

  return {
    started,
    chunk({ contentType, bytes }) {
      start({ ok: true, contentType, body });
      sentBytes += bytes.length;
      untakenBytes += bytes.length;
      if (sentBytes > maxStreamedBytes) {
        body.destroy(new Error(`The answer is longer than ${maxStreamedBytes} bytes.`));
      }
      if (body.destroyed || body.push(bytes)) takeAll();
    },
    end(result) {
      start(result.ok ? { ok: true, contentType: octetStream, body } : result);
      if (result.ok) body.push(null);
      else body.destroy(new Error(`${result.errorType}: ${result.errorMessage}`));
    },
  };
}

function withResolve<T>() {
  let settle: ((value: T) => void) | undefined;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: (value: T) => settle?.(value) };
}
