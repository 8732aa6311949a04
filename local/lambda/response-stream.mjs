// @ts-check
/** For handlers that stream their response: the global `awslambda`, and the stream. */
import { Writable } from 'node:stream';

/** A chunk is sent in slices of this size, so that one large write cannot outrun its reader. */
const sliceBytes = 64 * 1024;
/** Bytes that were sent to the parent and not yet read. */
const windowBytes = 256 * 1024;

const streaming = Symbol.for('aws.lambda.runtime.handler.streaming');
const integrationType = 'application/vnd.awslambda.http-integration-response';
/** The number of zero bytes that end the head of an HTTP response. */
const delimiterBytes = 8;

/** @typedef {(slice: { kind: 'chunk', contentType: string, bytes: Uint8Array }) => void} SendSlice */

/** The stream that a handler writes its response to; it applies backpressure like a socket. */
export class ResponseStream extends Writable {
  /** @type {((write: (chunk: string | Uint8Array) => void) => void) | undefined} */
  _onBeforeFirstWrite;
  #contentType = 'application/octet-stream';
  #isWritten = false;
  #inFlightBytes = 0;
  #send;
  /** @type {(() => void) | undefined} */
  #onRoom;

  /** @param {SendSlice} send */
  constructor(send) {
    super({ highWaterMark: sliceBytes });
    this.#send = send;
  }

  /** @param {string} contentType */
  setContentType(contentType) {
    if (!this.#isWritten) {
      this.#contentType = contentType;
      return;
    }
    const error = new Error('Cannot set content-type, too late.');
    error.name = 'Runtime.InvalidStreamingOperation';
    throw error;
  }

  /**
   * @param {any} chunk
   * @param {any[]} rest
   */
  // @ts-expect-error -- the overloads are one function here
  write(chunk, ...rest) {
    const isBytes = typeof chunk === 'string' || chunk instanceof Uint8Array;
    const isFirst = !this.#isWritten;
    this.#isWritten = true;
    if (isFirst) this._onBeforeFirstWrite?.((head) => super.write(head));
    return super.write(isBytes ? chunk : JSON.stringify(chunk), ...rest);
  }

  /** @param {number} bytes that the parent's reader has read */
  onRead(bytes) {
    this.#inFlightBytes -= bytes;
    this.#onRoom?.();
  }

  /**
   * @param {Buffer} chunk
   * @param {string} _encoding
   * @param {(error?: Error | null) => void} done
   */
  _write(chunk, _encoding, done) {
    // oxlint-disable-next-line promise/no-callback-in-promise -- a stream's own protocol
    this.#sendSlices(chunk).then(() => done(), done);
  }

  /**
   * @param {Error | null} error
   * @param {(error?: Error | null) => void} done
   */
  _destroy(error, done) {
    this.#onRoom?.();
    done(error);
  }

  /** @param {Buffer} chunk */
  async #sendSlices(chunk) {
    for (let at = 0; at < chunk.length; at += sliceBytes) {
      // A copy: the handler may reuse its buffer.
      const bytes = new Uint8Array(chunk.subarray(at, at + sliceBytes));
      while (this.#inFlightBytes + bytes.length > windowBytes && !this.destroyed) {
        await new Promise((resolve) => {
          this.#onRoom = () => resolve(undefined);
        });
      }
      if (this.destroyed) return;
      this.#inFlightBytes += bytes.length;
      this.#send({ kind: 'chunk', contentType: this.#contentType, bytes });
    }
  }
}

/** Whether a handler was wrapped by `streamifyResponse`. @param {unknown} handler */
export function isStreaming(handler) {
  return typeof handler === 'function' && streaming in handler;
}

/** The global of Lambda's Node.js runtime. */
export const awslambda = {
  /** @param {object} handler */
  streamifyResponse: (handler) => Object.assign(handler, { [streaming]: 'response' }),
  HttpResponseStream: {
    /**
     * Status and headers are sent before the first byte: an unwritten stream has neither.
     *
     * @param {ResponseStream} stream
     * @param {Record<string, unknown>} metadata
     */
    from(stream, metadata) {
      stream.setContentType(integrationType);
      const head = JSON.stringify(metadata);
      stream._onBeforeFirstWrite = (write) => {
        write(head);
        write(new Uint8Array(delimiterBytes));
      };
      return stream;
    },
  },
};
