/**
 * Whether a Content-Security-Policy refuses our script, which comes from the site's own origin, or
 * its requests to there (CSP Level 3). Nonces and hashes never allow it. In doubt the answer is
 * yes: a page without the script works, but a refused script writes errors to every visitor's
 * console.
 *
 * @param policies the value of a header, or of a `<meta>`; several are separated by commas
 * @param siteUrl scheme and host of the site
 */
export function refusesScript(policies: string, siteUrl: string): boolean {
  const site = new URL(siteUrl);
  return policies.split(',').some((policy) => {
    const directives = readDirectives(policy);
    const sandbox = directives.get('sandbox');
    // Without its own origin, a page may load nothing that has `Cross-Origin-Resource-Policy: same-origin`.
    if (sandbox !== undefined && !neededInSandbox.every((flag) => sandbox.includes(flag)))
      return true;
    const other = directives.get('default-src');
    const scripts = directives.get('script-src-elem') ?? directives.get('script-src') ?? other;
    const connections = directives.get('connect-src') ?? other;
    if (scripts?.includes("'strict-dynamic'") === true) return true;
    return [scripts, connections].some(
      (sources) => sources !== undefined && !sources.some((source) => names(source, site)),
    );
  });
}

const neededInSandbox = ['allow-scripts', 'allow-same-origin'];

/** The first directive of a name counts (§2.2.1). */
function readDirectives(policy: string): Map<string, string[]> {
  const directives = new Map<string, string[]>();
  for (const part of policy.toLowerCase().split(';')) {
    const [name = '', ...values] = part.trim().split(/[\t\n\f\r ]+/);
    if (name !== '' && !directives.has(name)) directives.set(name, values);
  }
  return directives;
}

/** Whether a source expression matches all addresses of the site; one with a path matches only some. */
function names(source: string, { protocol, host, hostname }: URL): boolean {
  if (source === "'self'" || source === '*') return true;
  if (source === protocol) return true;
  const [, scheme = protocol, named = '', path = ''] =
    /^(?:([a-z][a-z0-9+.-]*:)\/\/)?([^/]+)(\/.*)?$/.exec(source) ?? [];
  if (scheme !== protocol || (path !== '' && path !== '/')) return false;
  return named.startsWith('*.') ? hostname.endsWith(named.slice(1)) : named === host;
}
