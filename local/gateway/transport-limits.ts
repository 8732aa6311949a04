import type { HttpRequest, HttpResponse } from '../http/http.ts';

/** Quotas of a REST API that cannot be raised. */
const maxBodyBytes = 10 * 1024 * 1024;
const maxHeaderBytes = 10_240;

/**
 * The answer to a request that the service's front refuses before it looks for an API: plain text
 * that no gateway response changes, because none is consulted yet.
 */
export function transportRefusal(request: HttpRequest): HttpResponse | undefined {
  if (headerBytes(request) > maxHeaderBytes) {
    return plainText(431, `HTTP header is larger than ${maxHeaderBytes} bytes.`);
  }
  if (request.body.length > maxBodyBytes) {
    return plainText(413, `HTTP content length exceeded ${maxBodyBytes} bytes.`);
  }
  return undefined;
}

/** The quota counts the request line and the header values. */
function headerBytes(request: HttpRequest): number {
  const line = `${request.method} ${request.path}?${request.query} HTTP/1.1`;
  const texts = [line, ...Object.values(request.headers)];
  return texts.reduce((total, text) => total + Buffer.byteLength(text), 0);
}

function plainText(status: number, text: string): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'text; charset=utf-8' },
    body: Buffer.from(text),
  };
}
