/** The storage refused a file; sending it again would not help. */
export class StorageError extends Error {
  override readonly name = 'StorageError';

  constructor(status: number) {
    super(`The storage answered ${status}.`);
  }
}

/** The connection was lost while a file was sent. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
}

/** Sends a file, or a part of one, to its signed URL. `fetch` tells no progress of a request, so this is an XMLHttpRequest. */
export function sendPart(part: SignedPart, signal: AbortSignal): Promise<void> {
  const { url, body, contentType, onProgress } = part;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    signal.addEventListener('abort', stop);
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded));
    request.addEventListener('load', () => {
      if (request.status < 300) resolve();
      else if (request.status >= 500) reject(new ConnectionLostError());
      else reject(new StorageError(request.status));
    });
    request.addEventListener('error', () => reject(new ConnectionLostError()));
    request.addEventListener('abort', () => reject(new ConnectionLostError()));
    request.addEventListener('loadend', () => signal.removeEventListener('abort', stop));
    request.open('PUT', url);
    // Otherwise Firefox reads the storage's empty answer as XML, and reports that it is none.
    request.responseType = 'text';
    if (contentType !== '') request.setRequestHeader('content-type', contentType);
    request.send(body);
  });
}

/** A file or a part of one, and where it goes. */
export interface SignedPart {
  url: string;
  body: Blob;
  contentType: string;
  /** Called with the bytes that were sent so far. */
  onProgress: (sentBytes: number) => void;
}

/** Waits. */
export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
