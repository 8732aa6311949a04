import http from 'node:http';
import https from 'node:https';

/** A request of a check. */
export interface SmokeRequest {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array | string;
}

/** A response as it arrived: not decompressed, redirects not followed. */
export interface SmokeResponse {
  method: string;
  url: string;
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

/** Beyond every limit of the service. API Gateway ends a call after 29 seconds. */
const timeoutMs = 60_000;

/**
 * Sends one request with exactly this path: `fetch` would normalise it and decompress the response.
 * Names below `localhost` lead to this computer, which not every system resolves.
 */
export function sendRequest(url: string, request: SmokeRequest = {}): Promise<SmokeResponse> {
  const { method = 'GET', headers = {}, body } = request;
  return new Promise((resolve, reject) => {
    const { protocol, hostname, port, host } = new URL(url);
    const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
    const sent = (protocol === 'https:' ? https : http).request(
      {
        method,
        host: isLocal ? '127.0.0.1' : hostname,
        port,
        path: rawTarget(url),
        headers: { host, ...(body !== undefined && lengthOf(body)), ...headers },
        timeout: timeoutMs,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode: status = 0, headers: received } = response;
          resolve({ method, url, status, headers: received, body: Buffer.concat(chunks) });
        });
      },
    );
    // A response that came before the whole body was sent counts: the promise is settled then.
    sent.on('error', reject);
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)));
    sent.end(body);
  });
}

function lengthOf(body: Uint8Array | string) {
  return { 'content-length': String(Buffer.byteLength(body)) };
}

function rawTarget(url: string): string {
  const target = url.replace(/^[a-z]+:\/\/[^/?]+/, '');
  return target.startsWith('/') ? target : `/${target}`;
}

/** The body as text. */
export function textOf({ body }: SmokeResponse): string {
  return body.toString('utf8');
}

/** The cookies that a browser would send after this response. */
export function cookieOf({ headers }: SmokeResponse): string {
  return (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ');
}

/** A form with files, as a browser sends it. */
export async function formOf(
  fields: Readonly<Record<string, string>>,
  files: Readonly<Record<string, Uint8Array | string>>,
): Promise<Required<Pick<SmokeRequest, 'body'>> & { headers: Record<string, string> }> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [name, content] of Object.entries(files)) {
    form.append('files', new File([Buffer.from(content)], name));
  }
  const encoded = new Response(form);
  const type = encoded.headers.get('content-type') ?? '';
  return { headers: { 'content-type': type }, body: Buffer.from(await encoded.arrayBuffer()) };
}

/** A request with a JSON body; POST unless told otherwise. */
export function jsonBody(body: unknown, method = 'POST') {
  const headers = { 'content-type': 'application/json' };
  return { method, headers, body: JSON.stringify(body) };
}
