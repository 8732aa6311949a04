/** What a site may not say, and why; names in lowercase. */
const reasons = {
  'Cookies cannot be set here: CloudFront takes them away from published pages.':
    'set-cookie set-cookie2',
  'A password is set on the project, not in a file.': 'basic-auth',
  'Redirects stand in `_redirects`.': 'location refresh',
  'How long the edge keeps a file is not for the file to say.':
    'cdn-cache-control surrogate-control cloudfront-cdn-cache-control',
  'This field is the service’s own.':
    'content-length content-encoding content-range transfer-encoding connection keep-alive te ' +
    'trailer upgrade host date via age etag last-modified accept-ranges vary expires pragma ' +
    'server status alt-svc warning www-authenticate x-content-type-options x-cache x-forwarded-proto ' +
    'x-real-ip',
};

const refused = new Map(
  Object.entries(reasons).flatMap(([reason, names]) =>
    names.split(' ').map((name) => [name, reason] as const),
  ),
);

/** Fields that mean something between the service and its edge, or to a browser's request alone. */
const ownPrefix = /^(?:x-slipway-|x-amz|x-edge-|x-accel-|cloudfront-|sec-|proxy-)/;

/** A field name (RFC 9110 §5.1), in lowercase. */
const token = /^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/;

/** Directives for browsers; the edge is told by the service alone. */
const browserDirective =
  /^(?:public|private|no-store|no-cache|must-revalidate|immutable|no-transform|max-age=\d{1,10})$/i;

/** One line below a path: a field, a removal (no value), or nothing; and what is to be told of it. */
export interface FieldReading {
  name?: string;
  value?: string;
  message?: string;
}

/** Reads `Name: value` or `! Name`. */
export function readField(text: string): FieldReading {
  if (text.startsWith('!')) return readRemoval(text.slice(1).trim().toLowerCase());
  const colon = text.indexOf(':');
  const name = text.slice(0, Math.max(0, colon)).trim().toLowerCase();
  const value = text.slice(colon + 1).trim();
  if (!token.test(name)) return { message: 'A path begins with `/`, a field is `Name: value`.' };
  const message = refused.get(name) ?? (ownPrefix.test(name) ? refused.get('host') : undefined);
  if (message !== undefined) return { message };
  if (value === '') return { message: 'The field has no value.' };
  // RFC 9110 §5.5; what is beyond ASCII would arrive garbled.
  if (!/^[\x20-\x7e\t]*$/.test(value)) return { message: 'A value has only ASCII characters.' };
  return name === 'cache-control' ? readCacheControl(value) : { name, value };
}

function readRemoval(name: string): FieldReading {
  return token.test(name) ? { name } : { message: 'A removal is `! Name`.' };
}

function readCacheControl(written: string): FieldReading {
  const directives = written.split(',').map((one) => one.trim().toLowerCase());
  const [wrong] = directives.filter((one) => !browserDirective.test(one));
  const value = directives.filter((one) => browserDirective.test(one)).join(', ');
  return {
    ...(value !== '' && { name: 'cache-control', value }),
    ...(wrong !== undefined && {
      message: `Of Cache-Control only what is for browsers is taken; \`${wrong.slice(0, 40)}\` is left out.`,
    }),
  };
}
