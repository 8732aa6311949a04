import type { ApiRequest } from './api-request.ts';

/** Whether a browser sent the body by a form of ours without script. */
export function isPlainForm({ headers }: ApiRequest): boolean {
  return /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(headers['content-type'] ?? '');
}

/** The fields of a form; of a repeated one the first counts. */
export function readPlainForm(body: Buffer): Record<string, string> {
  const fields = [...new URLSearchParams(body.toString('utf8'))].toReversed();
  return Object.fromEntries(fields);
}

const maxFormBytes = 16 * 1024;

/** The fields of a form of a page of ours; none where something else was sent, or far more than the page has. */
export function formFields(request: ApiRequest): URLSearchParams {
  const isOurs = isPlainForm(request) && request.body.length <= maxFormBytes;
  return new URLSearchParams(isOurs ? request.body.toString('utf8') : '');
}
