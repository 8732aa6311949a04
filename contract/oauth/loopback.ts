/** Hosts that are the computer itself (RFC 8252 §7.3), as `URL` writes them. */
const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Whether a host, with or without a port, is the computer itself. */
export function isLoopback(host: string): boolean {
  const url = `http://${host}`;
  return URL.canParse(url) && loopbackHosts.has(new URL(url).hostname);
}
