/** Percent-encoding for SigV4: all but `A-Z a-z 0-9 - . _ ~`, upper-case hex. */
export function encodeStrict(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Percent-encoding for paths: keeps `/`. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeStrict).join('/');
}
