/** Why a file is not shown. The message is one sentence for visitors. */
export class ViewerError extends Error {}

/** The bytes at `url`, refused once they are more than `maxBytes`. */
export async function fetchFile(url: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const { bytes, cut } = await fetchStart(url, maxBytes);
  if (cut) throw new ViewerError('The file is too large to show here.');
  return bytes;
}

/** The first `maxBytes` at `url`, and whether there would have been more; the rest is not loaded. */
export async function fetchStart(
  url: string,
  maxBytes: number,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; cut: boolean }> {
  const response = await fetch(url).catch(() => undefined);
  if (response?.ok !== true || response.body === null) {
    throw new ViewerError('The file could not be loaded. Reload the page to try again.');
  }
  return readStart(response.body, maxBytes);
}

/** Reads the first `maxBytes` of a stream, then cancels it. */
export async function readStart(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; cut: boolean }> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value);
    length += next.value.length;
    if (length > maxBytes) break;
  }
  const cut = length > maxBytes;
  if (cut) await reader.cancel();
  const bytes = new Uint8Array(Math.min(length, maxBytes));
  let at = 0;
  for (const chunk of chunks) {
    const part = chunk.subarray(0, bytes.length - at);
    bytes.set(part, at);
    at += part.length;
  }
  return { bytes, cut };
}
