import type { UploadedFile } from '../../contract/fields.ts';
import { nameForContent } from '../../core/content/name-content.ts';
import { CodedError } from '../../core/errors.ts';
import type { ApiRequest } from './api-request.ts';

/** The next step for a body of a wrong type, if a plain file is accepted too. */
export const plainFileStep =
  'Send one file as the plain body with curl -T FILE, or several as multipart/form-data in the field `files` (curl -X PUT -F files=@FILE). The link is not used up.';

type FileRequest = Pick<ApiRequest, 'headers' | 'body'>;

/** Whether the body is one file. The edge gives such a body this type (`app-viewer-request.js`). */
export function isPlainFile({ headers }: Pick<ApiRequest, 'headers'>): boolean {
  return /^application\/octet-stream\s*(?:;|$)/i.test(headers['content-type'] ?? '');
}

/**
 * A body that is one file, as the fields of a form.
 * @throws CodedError INVALID_REQUEST
 */
export function readPlainFile({ headers, body }: FileRequest): { files: UploadedFile[] } {
  if (body.length === 0) {
    const message = 'is empty; send a file, for example with curl -T FILE';
    throw new CodedError('INVALID_REQUEST', {
      error: `body: ${message}.`,
      details: [{ path: 'body', message }],
    });
  }
  const contentType = (headers['x-slipway-file-type'] ?? '').toLowerCase();
  const name = sentName(headers) ?? nameForContent(body, contentType);
  return { files: [{ name, contentType, bytes: body }] };
}

/** The last part of the URL, `X-Filename`, or the name of a `Content-Disposition` (RFC 6266, RFC 8187). */
function sentName(headers: FileRequest['headers']): string | undefined {
  const disposition = asUtf8(headers['content-disposition'] ?? '');
  const encoded = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
  const [, quoted, token] =
    /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/i.exec(disposition) ?? [];
  const plain = quoted?.replaceAll(/\\(.)/g, '$1') ?? token;
  const sent = asUtf8(headers['x-filename'] ?? '');
  const names = [headers['x-slipway-file-name'], sent, encoded].map(decoded);
  return [...names, plain].find((name) => name !== undefined && name.trim() !== '');
}

/**
 * The text of a header whose bytes are UTF-8. The header has one character for each byte (RFC 9110
 * §5.5). Bytes that are not UTF-8 stay Latin-1.
 */
function asUtf8(text: string): string {
  if (/[^\0-\u00FF]/.test(text)) return text;
  try {
    return utf8.decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes percent-encoded text; returns other text unchanged. */
function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return text;
  }
}
