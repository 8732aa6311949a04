interface HeldHeaders {
  headers?: Readonly<Record<string, boolean | number | string>> | undefined;
}

/** The same response with more headers, which replace those of the same names. */
export function withHeaders<R extends HeldHeaders>(response: R, headers: Record<string, string>) {
  return { ...response, headers: { ...response.headers, ...headers } };
}

/** The same response, which says after how many seconds to come again (RFC 9110 §10.2.3). */
export function withRetryAfter<R extends HeldHeaders>(response: R, seconds: number) {
  return withHeaders(response, { 'retry-after': String(seconds) });
}
