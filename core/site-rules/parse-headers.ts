import { commonHeaders } from '../../contract/common-headers.ts';
import { readPattern } from './path-pattern.ts';
import { lineFault, linesOf, type ParsedRules } from './rules-file.ts';
import { type HeaderRule, maxFieldBytes, sizeOf } from './site-rules.ts';

/** The same limit as Cloudflare Pages. */
export const maxHeaderRules = 100;
const maxFieldsOfRule = 50;

/** Reads a `_headers` file. Never throws: an invalid line is left out and reported. */
export function parseHeaders(text: string): ParsedRules<HeaderRule> {
  const { rules, invalid }: ParsedRules<HeaderRule> = { rules: [], invalid: [] };
  let above: HeaderRule | 'refused' | undefined;
  for (const { number: line, text: whole } of linesOf(text)) {
    const written = whole.trim();
    const isPath = /^(?:\/|https?:\/\/)/i.test(written);
    const fault =
      lineFault(whole) ?? (isPath ? pathFault(written, rules) : addField(above, written));
    if (fault !== undefined) invalid.push({ line, text: whole, message: fault });
    if (!isPath) continue;
    above = fault === undefined ? { line, path: written, set: [], unset: [] } : 'refused';
    if (above !== 'refused') rules.push(above);
  }
  return { rules: rules.filter(({ set, unset }) => set.length + unset.length > 0), invalid };
}

function pathFault(path: string, rules: readonly HeaderRule[]): string | undefined {
  if (!path.startsWith('/')) return 'Headers for other hosts are not supported: begin with a path.';
  const reading = readPattern(path);
  if ('fault' in reading) return reading.fault;
  return rules.length >= maxHeaderRules
    ? `At most ${maxHeaderRules} paths are allowed.`
    : undefined;
}

/** Adds a header to its block. A refused block is reported only once, at its path. */
function addField(above: HeaderRule | 'refused' | undefined, text: string): string | undefined {
  if (above === 'refused') return undefined;
  if (above === undefined) return 'A path that begins with `/` must come before its headers.';
  if (above.set.length + above.unset.length >= maxFieldsOfRule) {
    return `At most ${maxFieldsOfRule} headers are allowed for one path.`;
  }
  const { name, value, message } = readField(text);
  if (name !== undefined && value === undefined) above.unset.push(name);
  if (name !== undefined && value !== undefined) {
    if (sizeOf([...above.set, [name, value]]) > maxFieldBytes) {
      return `All headers of one response together can have at most ${maxFieldBytes} characters.`;
    }
    above.set.push([name, value]);
  }
  return message;
}

/** Headers that a site may not set, and why; names in lowercase. */
const forbiddenReasons = {
  'Cookies cannot be set here: CloudFront removes them from published pages.':
    'set-cookie set-cookie2',
  'Set a password on the project, not in a file.': 'basic-auth',
  'Browser data of visitors cannot be cleared here: that would remove the cookies that give them access.':
    'clear-site-data',
  'This name cannot be a header.': '__proto__',
  'Redirects belong in `_redirects`.': 'location refresh',
  'A site cannot set how long the edge caches a file.':
    'cdn-cache-control surrogate-control cloudfront-cdn-cache-control',
  'The service sets this header itself.':
    'content-length content-encoding content-range transfer-encoding connection keep-alive te ' +
    'trailer upgrade host date via age etag last-modified accept-ranges vary expires pragma ' +
    'server status alt-svc warning www-authenticate x-cache x-forwarded-proto x-real-ip ' +
    Object.keys(commonHeaders).join(' '),
};

const forbiddenFields = new Map(
  Object.entries(forbiddenReasons).flatMap(([reason, names]) =>
    names.split(' ').map((name) => [name, reason] as const),
  ),
);

/** Prefixes of headers that the service and its edge use between them, or that belong to requests only. */
const internalPrefix = /^(?:x-slipway-|x-amz|x-edge-|x-accel-|cloudfront-|sec-|proxy-)/;

/** A field name (RFC 9110 §5.1), in lowercase. */
const token = /^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/;

/** Directives for browsers; only the service sets those for the edge. */
const browserDirective =
  /^(?:public|private|no-store|no-cache|must-revalidate|immutable|no-transform|max-age=\d{1,10})$/i;

/** One line below a path: a header, a removal (without value), or neither; and a warning about it. */
interface FieldReading {
  name?: string;
  value?: string;
  message?: string;
}

/** Reads `Name: value` or `! Name`. */
function readField(text: string): FieldReading {
  if (text.startsWith('!')) return readRemoval(text.slice(1).trim().toLowerCase());
  const colon = text.indexOf(':');
  const name = text.slice(0, Math.max(0, colon)).trim().toLowerCase();
  const value = text.slice(colon + 1).trim();
  if (!token.test(name))
    return { message: 'Write a path that begins with `/`, or a header as `Name: value`.' };
  const message =
    forbiddenFields.get(name) ??
    (internalPrefix.test(name) ? forbiddenFields.get('host') : undefined);
  if (message !== undefined) return { message };
  if (value === '') return { message: 'The header has no value.' };
  // RFC 9110 §5.5: recipients may read other characters in another encoding.
  if (!/^[\x20-\x7e\t]*$/.test(value))
    return { message: 'A header value can have only ASCII characters.' };
  return name === 'cache-control' ? readCacheControl(value) : { name, value };
}

function readRemoval(name: string): FieldReading {
  return token.test(name) ? { name } : { message: 'Write the removal of a header as `! Name`.' };
}

function readCacheControl(written: string): FieldReading {
  const directives = written.split(',').map((one) => one.trim().toLowerCase());
  const [wrong] = directives.filter((one) => !browserDirective.test(one));
  const value = directives.filter((one) => browserDirective.test(one)).join(', ');
  return {
    ...(value !== '' && { name: 'cache-control', value }),
    ...(wrong !== undefined && {
      message: `Only directives for browsers are allowed in Cache-Control; \`${wrong.slice(0, 40)}\` is ignored.`,
    }),
  };
}
