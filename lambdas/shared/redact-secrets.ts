const redacted = '[redacted]';

/** Fields whose whole value is a secret, whoever logs them: an SDK's error may carry its request. */
const secretFields =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookies?|password|\w*secret|\w*token|x-amz-security-token|x-slipway-(?:origin|access|preview)|code_?verifier|idempotency-key|signature)$/i;

/** A segment of a path; a route's `{parameter}`, and a source file in a stack trace, are none. */
const segment = String.raw`(?!\{|[\w.-]+\.(?:ts|m?js)\b|(?:off|ended)\b)[^\s"'/?#<>]+`;

/** Shapes of what grants something, each with what stands in its place. */
const shapes: readonly [RegExp, string][] = [
  // The long code of a mail for signing in, however it was copied.
  [/\b(?:[bcdfghjkmnpqrstvwxyz]{4}[\s-]?){5}[bcdfghjkmnpqrstvwxyz]{4}\b/gi, redacted],
  // Private keys, and credentials of a function's role.
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, redacted],
  [/\b[A-Za-z0-9+/]{120,}={0,2}/g, redacted],
  // The query of an address: signatures of storage and of media links, OAuth's `code` and `state`.
  [/(\b(?:https?|wss?):\/\/[^\s"'<>?#]+)[?#][^\s"'<>]*/gi, `$1?${redacted}`],
  // The same where there is no address around it.
  [
    /\b((?:X-Amz-(?:Signature|Credential|Security-Token)|Signature|Policy|Key-Pair-Id|access_token|refresh_token|client_secret|code|code_verifier|state|token|password)=)[^\s"'&;,<>]+/gi,
    `$1${redacted}`,
  ],
  // The segment of a path that grants something: claims, upload links, previews, owners' links.
  [
    new RegExp(`(/(?:claim|upload|upload-links|_slipway/preview|_slipway/owner)/)${segment}`, 'gi'),
    `$1${redacted}`,
  ],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, `$1 ${redacted}`],
  [/(__Host-[\w-]+=)[^\s"';,]+/gi, `$1${redacted}`],
  // API keys, and what connected apps get: `sw_live_…`, `sw_oauth_access_…`.
  [/\b[a-z][a-z0-9]{1,9}(?:_[a-z]+){1,2}_[0-9A-Za-z]{43,}/g, redacted],
  // A token of a site: `<project>.<what it grants>.<HMAC>`.
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\.[\w-]+){2,3}\.[\w-]{43}(?![\w-])/g, redacted],
  // 256 bits as base64url: tokens of claims, upload links and sessions, and every HMAC.
  [/(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{43}(?![\w-])/g, redacted],
];

/** A text without what grants something: keys, tokens, signatures, cookies and queries of addresses. */
export function redactSecrets(text: string): string {
  return shapes.reduce((left, [shape, replacement]) => left.replace(shape, replacement), text);
}

/** For `JSON.stringify`: a value as it may be logged under this name. */
export function redactField(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return secretFields.test(name) ? redacted : redactSecrets(value);
}

/** An error as Lambda itself may log it, which writes what a handler throws. */
export function redactedError(error: unknown): Error {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const copy = new Error(redactSecrets(message));
  copy.name = name;
  copy.stack = redactSecrets(stack ?? '');
  return copy;
}
