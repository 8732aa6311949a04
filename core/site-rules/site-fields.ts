import { commonHeaders } from '../../contract/common-headers.ts';

/**
 * Headers that a site may set, beside its own `x-…` ones; names in lowercase. Each affects only the
 * response that has it. Headers that a browser remembers for the host, and would apply to the next
 * site at that address, are not allowed (decision 0034); `docs/static-hosting.md` has the reason
 * for each.
 */
export const allowedFields: ReadonlySet<string> = new Set(
  [
    'content-security-policy content-security-policy-report-only permissions-policy permissions-policy-report-only',
    'feature-policy document-policy document-policy-report-only require-document-policy referrer-policy',
    'integrity-policy integrity-policy-report-only reporting-endpoints strict-transport-security',
    'cross-origin-opener-policy cross-origin-opener-policy-report-only cross-origin-embedder-policy',
    'cross-origin-embedder-policy-report-only cross-origin-resource-policy origin-agent-cluster',
    'document-isolation-policy access-control-allow-origin access-control-allow-methods',
    'access-control-allow-headers access-control-allow-credentials access-control-expose-headers',
    'access-control-max-age access-control-allow-private-network timing-allow-origin server-timing',
    'cache-control no-vary-search link speculation-rules supports-loading-mode service-worker-allowed',
    'content-type content-language content-disposition sourcemap onion-location tdm-reservation tdm-policy',
  ].flatMap((names) => names.split(' ')),
);

/** Why other headers are refused; names in lowercase. */
const forbiddenReasons = {
  'Cookies cannot be set here: CloudFront removes them from published pages.':
    'set-cookie set-cookie2',
  'Set a password on the project, not in a file.': 'basic-auth',
  'Browser data of visitors cannot be cleared here: that would remove the cookies that give them access.':
    'clear-site-data',
  'Browsers keep this for the address, also when another site has it.':
    'nel report-to accept-ch accept-ch-lifetime critical-ch alt-svc expect-ct public-key-pins ' +
    'public-key-pins-report-only origin-trial critical-origin-trial set-login use-as-dictionary ' +
    'attribution-reporting-register-source attribution-reporting-register-trigger ' +
    'observe-browsing-topics shared-storage-write secure-session-registration',
  'This name cannot be a header.': '__proto__',
  'Redirects belong in `_redirects`.': 'location refresh',
  'A site cannot set how long the edge caches a file.':
    'cdn-cache-control surrogate-control cloudfront-cdn-cache-control',
  'The service sets this header itself.':
    'content-length content-range transfer-encoding connection keep-alive te ' +
    'trailer upgrade host date via age etag last-modified accept-ranges vary expires pragma ' +
    'server status warning www-authenticate x-forwarded-proto x-real-ip ' +
    Object.keys(commonHeaders).join(' '),
};

const forbiddenFields = new Map(
  Object.entries(forbiddenReasons).flatMap(([reason, names]) =>
    names.split(' ').map((name) => [name, reason] as const),
  ),
);

/** Prefixes of headers that the service and its edge use between them, or that belong to requests only. */
const internalPrefix = /^(?:x-slipway|x-amz|x-edge-|x-accel-|x-cache|cloudfront-|sec-|proxy-)/;

/** Why a site may not set a header; `undefined` where it may. */
function fieldFault(name: string): string | undefined {
  const reason = forbiddenFields.get(internalPrefix.test(name) ? 'host' : name);
  if (reason !== undefined || allowedFields.has(name) || name.startsWith('x-')) return reason;
  return 'Sites cannot set this header. Names of your own begin with `X-`.';
}

/** Directives for browsers; only the service sets those for the edge. */
const browserDirective =
  /^(?:public|private|no-store|no-cache|must-revalidate|immutable|no-transform|max-age=\d{1,10})$/;

/** A header of a site as it may be sent; no value where it may not. A message says what was left out, and why. */
export interface SiteFieldReading {
  value?: string;
  message?: string;
}

/**
 * Reads a header of a site's rules; used when the site is published, and each time its rules are
 * loaded.
 */
export function readSiteField(name: string, value: string): SiteFieldReading {
  if (name === 'content-encoding') return readCoding(value);
  const message = fieldFault(name);
  if (message !== undefined) return { message };
  if (value === '') return { message: 'The header has no value.' };
  // RFC 9110 §5.5: recipients may read other characters in another encoding.
  if (!/^[\x20-\x7e\t]*$/.test(value))
    return { message: 'A header value can have only ASCII characters.' };
  if (name === 'cache-control') {
    const reason = 'Only directives for browsers are allowed in Cache-Control';
    return keepDirectives(value, { separator: ',', allowed: browserDirective, reason });
  }
  if (name === 'strict-transport-security') {
    const reason =
      'Only max-age is allowed in Strict-Transport-Security: the rest is about other hosts';
    return keepDirectives(value, { separator: ';', allowed: /^max-age="?\d{1,10}"?$/, reason });
  }
  return { value };
}

/** Sent only where the file is compressed so: see `storedForm` in `decide-visit.ts`. */
function readCoding(value: string): SiteFieldReading {
  if (/^(?:gzip|br)$/i.test(value)) return { value: value.toLowerCase() };
  return { message: 'Content-Encoding can only be gzip or br, where the bytes of the file agree.' };
}

interface DirectiveRule {
  separator: ',' | ';';
  allowed: RegExp;
  reason: string;
}

function keepDirectives(
  written: string,
  { separator, allowed, reason }: DirectiveRule,
): SiteFieldReading {
  const directives = written.split(separator).map((one) => one.trim().toLowerCase());
  const wrong = directives.find((one) => !allowed.test(one));
  const value = directives.filter((one) => allowed.test(one)).join(`${separator} `);
  return {
    ...(value !== '' && { value }),
    ...(wrong !== undefined && { message: `${reason}; \`${wrong.slice(0, 40)}\` is ignored.` }),
  };
}
