import type { HttpRequest, HttpResponse } from '../../http/http.ts';
import { headerOf } from '../request-parts.ts';

/** Whether a 206 ends before the range that was requested, and before the end of the object. */
export function isShorterThanRequested(request: HttpRequest, response: HttpResponse): boolean {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers['range'] ?? '') ?? [];
  const sent = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headerOf(response.headers, 'content-range') ?? '');
  if (response.status !== 206 || first === undefined || sent === null) return false;
  const [sentLast, size] = [Number(sent[2]), Number(sent[3])];
  const end = last === undefined || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return sentLast < end;
}
