/**
 * Response headers that a function cannot set, because the service in front sends its own: it
 * renames them (API Gateway, "Important notes for REST APIs"). Function URLs do the same; for
 * `www-authenticate` and `content-length` many have seen it.
 */
const remapped = new Set([
  'authorization',
  'connection',
  'content-length',
  'content-md5',
  'date',
  'expect',
  'host',
  'max-forwards',
  'proxy-authenticate',
  'server',
  'trailer',
  'upgrade',
  'user-agent',
  'www-authenticate',
]);

/** The name under which a function's header arrives, in lower case; undefined if it is dropped. */
export function outgoingHeaderName(name: string): string | undefined {
  const lower = name.toLowerCase();
  if (lower === 'transfer-encoding') return undefined;
  return remapped.has(lower) ? `x-amzn-remapped-${lower}` : lower;
}
