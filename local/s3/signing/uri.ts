import { S3Error } from '../protocol/s3-error.ts';

/** Percent-encoding as SigV4 wants it: all but `A-Z a-z 0-9 - . _ ~`, upper-case hex. */
export function encodeStrict(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The same, with `/` left alone, for paths. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeStrict).join('/');
}

/** Percent-decoding to text; bytes that are not UTF-8 are `InvalidURI`. */
export function decodeUri(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw new S3Error('InvalidURI');
  }
}

/** Keys in a listing with `encoding-type=url`: S3 writes a space as `+` and leaves `/`. */
export function encodeListed(text: string): string {
  return encodePath(text).replaceAll('%20', '+').replaceAll('%2A', '*');
}
