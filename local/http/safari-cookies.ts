import type { HttpRequest, HttpResponse } from './http.ts';

/** Names no cookie of the service or of a test: it stands for `__Host-`, which requires `Secure`. */
const plainPrefix = 'localhost-';

/** `Version/26.1 Safari/605.1.15`; Chrome names Safari without a version of it. */
const safari = /\bVersion\/\S+ .*\bSafari\//;

/**
 * Lets people with Safari sign in. Chrome and Firefox keep `Secure` cookies of `http://localhost`, Safari
 * does not: there they have another name and no `Secure`. The services behind see no difference.
 */
export async function withSafariCookies(
  request: HttpRequest,
  handle: (request: HttpRequest) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const { 'user-agent': browser = '', cookie = '' } = request.headers;
  if (!safari.test(browser)) return handle(request);
  const named = cookie.replaceAll(new RegExp(`(^|; )${plainPrefix}`, 'g'), '$1__Host-');
  const headers = { ...request.headers, ...(cookie !== '' && { cookie: named }) };
  const answer = await handle({ ...request, headers });
  const kept = Object.entries(answer.headers).map(([name, value]) => [
    name,
    name.toLowerCase() === 'set-cookie' ? [value].flat().map(withoutSecure) : value,
  ]);
  return { ...answer, headers: Object.fromEntries(kept) };
}

function withoutSecure(cookie: string): string {
  return cookie.replace(/^__Host-/, plainPrefix).replace(/;\s*Secure\b/i, '');
}
