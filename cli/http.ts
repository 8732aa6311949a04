import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';

/** A request whose body is in memory, so that it can be sent again. */
export interface HttpRequest {
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array | undefined;
  signal: AbortSignal;
}

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** The client of Node for the scheme of an address. An `import` of it would also load `fetch` (Node 24). */
export function clientOf(url: string): Pick<typeof import('node:https'), 'request' | 'get'> {
  const { protocol } = new URL(url);
  return process.getBuiltinModule(protocol === 'http:' ? 'node:http' : 'node:https');
}

/** Sends a request once. Loading `fetch` takes longer than most requests of a command. @throws where there is no answer */
export async function sendOnce(
  url: string,
  { method, headers, body, signal }: HttpRequest,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const sent = clientOf(url).request(url, { method, headers, signal }, (response) => {
      const { statusCode = 0, headers: answered } = response;
      text(response).then(
        (body) => resolve({ status: statusCode, headers: answered, text: body }),
        reject,
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** A file of a form. */
export interface FormFile {
  /** With slashes between folders. */
  path: string;
  bytes: Uint8Array;
  /** Its media type, where the name does not say it. */
  type?: string;
}

/** The service reads no longer field of a form, in bytes. */
const maxFieldBytes = 8192;

/** Whether a form can have these fields. */
export function fitsForm(fields: object): boolean {
  return Object.values(fields).every(
    (value) => Buffer.byteLength(fieldText(value)) <= maxFieldBytes,
  );
}

/** Lists of the API are a line each in a form. */
function fieldText(value: unknown): string {
  return Array.isArray(value) ? value.join('\n') : String(value);
}

/** Files beside other fields as `multipart/form-data` (RFC 7578); names are as in RFC 8187. */
export function formOf(
  fields: object,
  files: readonly FormFile[],
): { body: Uint8Array; contentType: string } {
  const boundary = `slipway-${randomUUID()}`;
  const head = (field: string, more = '') =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${field}"${more}\r\n\r\n`;
  const texts = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${head(name)}${fieldText(value)}\r\n`);
  const parts = files.flatMap(({ path, bytes, type }) => [
    Buffer.from(head('files', `; filename*=UTF-8''${encoded(path)}${typeLine(type)}`)),
    bytes,
    Buffer.from('\r\n'),
  ]);
  const body = Buffer.concat([
    Buffer.from(texts.join('')),
    ...parts,
    Buffer.from(`--${boundary}--\r\n`),
  ]);
  return { body, contentType: `multipart/form-data; boundary=${boundary}` };
}

function typeLine(type: string | undefined): string {
  return type === undefined ? '' : `\r\nContent-Type: ${type}`;
}

function encoded(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
