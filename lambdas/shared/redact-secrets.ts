import { sourcePositions } from './source-positions.ts';

const redacted = '[redacted]';

/** Fields whose whole value is a secret. An SDK's error may contain its request. */
const secretFields =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookies?|password|\w*secret|\w*token|x-amz-security-token|x-slipway-(?:origin|access|preview)|code_?verifier|idempotency-key|signature)$/i;

/** A path segment, but not a route's `{parameter}` or a source file in a stack trace. */
const segment = String.raw`(?!\{|[\w.-]+\.(?:ts|m?js)\b|(?:off|ended)\b)[^\s"'/?#<>]+`;

/** Patterns of secrets, each with its replacement. */
const shapes: readonly [RegExp, string][] = [
  // Secrets of webhooks. First, because they may contain a slash.
  [/\bwhsec_[A-Za-z0-9+/]+={0,2}/g, redacted],
  // The long code of a sign-in mail, with any separators.
  [/\b(?:[bcdfghjkmnpqrstvwxyz]{4}[\s-]?){5}[bcdfghjkmnpqrstvwxyz]{4}\b/gi, redacted],
  // Private keys, and the session tokens of a function's role.
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, redacted],
  [/\b[A-Za-z0-9+/]{120,}={0,2}/g, redacted],
  // The query of a URL: signatures of S3, OAuth's `code` and `state`.
  [/(\b(?:https?|wss?):\/\/[^\s"'<>?#]+)[?#][^\s"'<>]*/gi, `$1?${redacted}`],
  // The same parameters outside a URL.
  [
    /\b((?:X-Amz-(?:Signature|Credential|Security-Token)|Signature|Policy|Key-Pair-Id|access_token|refresh_token|client_secret|code|code_verifier|state|token|password)=)[^\s"'&;,<>]+/gi,
    `$1${redacted}`,
  ],
  // Path segments that are tokens: claims, links that stop a deletion, upload links, previews, owner links.
  [
    new RegExp(
      `(/(?:claim|account/keep|upload|upload-links|_slipway/preview|_slipway/owner|_slipway/share|_slipway/own)/)${segment}`,
      'gi',
    ),
    `$1${redacted}`,
  ],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, `$1 ${redacted}`],
  [/(__Host-[\w-]+=)[^\s"';,]+/gi, `$1${redacted}`],
  // API keys, and tokens of connected apps: `sw_live_…`, `sw_oauth_access_…`.
  [/\b[a-z][a-z0-9]{1,9}(?:_[a-z]+){1,2}_[0-9A-Za-z]{43,}/g, redacted],
  // A token of a site: `<project>.<payload>.<HMAC>`.
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\.[\w-]+){2,3}\.[\w-]{43}(?![\w-])/g, redacted],
  // 256 bits in base64url: tokens of claims, upload links and sessions, and HMACs.
  [/(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{43}(?![\w-])/g, redacted],
];

/** Removes secrets from a text: keys, tokens, signatures, cookies and queries of URLs. */
export function redactSecrets(text: string): string {
  return shapes.reduce((left, [shape, replacement]) => left.replace(shape, replacement), text);
}

/** A replacer for `JSON.stringify`: returns the value to log under this name. */
export function redactField(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return secretFields.test(name) ? redacted : redactSecrets(value);
}

/** A copy of an error without secrets, whose stack names our sources. Lambda logs what a handler throws. */
export function redactedError(error: unknown): Error {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const copy = new Error(redactSecrets(message));
  copy.name = name;
  copy.stack = redactSecrets(sourcePositions(stack ?? ''));
  return copy;
}
