/** Where a redirect leads, as a person can judge it. */
export type RedirectTarget =
  | { kind: 'site'; host: string }
  | { kind: 'this-computer' }
  | { kind: 'app'; scheme: string };

const loopbackHosts = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Where a redirect URI leads. Hosts are told in ASCII: letters that look like others cannot pass for them. */
export function redirectTarget(uri: string): RedirectTarget {
  const { protocol, hostname, host } = new URL(uri);
  const scheme = protocol.slice(0, -1);
  if (scheme !== 'http' && scheme !== 'https') return { kind: 'app', scheme };
  if (loopbackHosts.has(hostname)) return { kind: 'this-computer' };
  return { kind: 'site', host };
}
