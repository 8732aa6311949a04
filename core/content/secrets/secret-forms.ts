import type { SecretKind } from '../../../contract/errors.ts';
import { base62Checksum, isSecretText } from '../../secret-text.ts';

/** A form of key: a literal text in it, and a check of what surrounds that text. */
export interface SecretForm {
  kind: SecretKind;
  /** Searched for first, in all files; rare in texts without keys. */
  literal: string;
  /** Whether there is a key where the literal begins. Looks at a bounded number of characters. */
  isAt(text: string, at: number): boolean;
}

/** No key that the search knows is longer. */
const maxKeyLength = 300;

/** The run of key characters around a place; empty if it is too long for a key. */
function keyAround(text: string, at: number): string {
  let first = at;
  while (first > at - maxKeyLength && isKeyCharacter(text.charCodeAt(first - 1))) first -= 1;
  let end = at;
  while (end < at + maxKeyLength && isKeyCharacter(text.charCodeAt(end))) end += 1;
  return end - first > maxKeyLength ? '' : text.slice(first, end);
}

/**
 * The key that begins at a place; empty if the characters there belong to a longer text, which costs nothing to see:
 * a hostile file has the literal of a key at each of its places.
 */
function keyFrom(text: string, at: number): string {
  return isKeyCharacter(text.charCodeAt(at - 1)) ? '' : keyAround(text, at);
}

/** A letter, a digit, `_` or `-`. */
function isKeyCharacter(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f ||
    code === 0x2d
  );
}

/** Fewer different characters than this are a placeholder such as `XXXX…` or `0000…`, not a key. */
const fewestCharacters = 8;

function isPlaceholder(key: string): boolean {
  return new Set(key).size < fewestCharacters || /example/i.test(key);
}

/**
 * A key that is one run of characters and begins with its literal: `pattern` matches it as a whole, its group is the
 * secret part.
 */
function run(
  kind: SecretKind,
  literal: string,
  pattern: RegExp,
  isReal: (secret: string) => boolean = () => true,
): SecretForm {
  return {
    kind,
    literal,
    isAt(text, at) {
      const secret = pattern.exec(keyFrom(text, at))?.[1];
      return secret !== undefined && !isPlaceholder(secret) && isReal(secret);
    },
  };
}

/** OpenAI's keys have their literal in the middle. */
function isOpenAiKey(text: string, at: number): boolean {
  const pattern = /^sk-(?:(?:proj|svcacct|admin)-)?([\w-]{20,160}T3BlbkFJ[\w-]{20,160})$/;
  const secret = pattern.exec(keyAround(text, at))?.[1];
  return secret !== undefined && !isPlaceholder(secret);
}

/** GitHub and npm: 30 random characters and their CRC-32. */
function hasChecksum(secret: string): boolean {
  return secret.slice(30) === base62Checksum(secret.slice(0, 30));
}

/** The body of the test key in all of Stripe's documentation. */
const documentedStripeBody = '4eC39HqLyjWDarjtT1zdp7dc';

const forms: readonly SecretForm[] = [
  ...['AKIA', 'ASIA'].map(
    (literal): SecretForm => ({
      kind: 'aws-access-key',
      literal,
      isAt: (text, at) => isAccessKeyId(text, at),
    }),
  ),
  ...['ecret_access_key', 'ECRET_ACCESS_KEY', 'ecretAccessKey', 'AWSSecretKey'].map(
    (literal): SecretForm => ({
      kind: 'aws-secret-key',
      literal,
      isAt: (text, at) => isSecretAccessKey(text.slice(at + literal.length, at + 100)),
    }),
  ),
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((literal) =>
    run('github-token', literal, /^gh[pousr]_([0-9A-Za-z]{36})$/, hasChecksum),
  ),
  run('github-token', 'github_pat_', /^github_pat_([0-9A-Za-z]{22}_[0-9A-Za-z]{59})$/),
  run('npm-token', 'npm_', /^npm_([0-9A-Za-z]{36})$/, hasChecksum),
  run('slack-token', 'xoxb-', /^xoxb-\d{9,14}-(?:\d{9,14}-)?([0-9A-Za-z]{24})$/),
  run('slack-token', 'xoxp-', /^xoxp-\d{9,14}-\d{9,14}-\d{9,14}-([0-9a-f]{32})$/),
  run('slack-token', 'xapp-', /^xapp-\d-A[0-9A-Z]{8,12}-\d{9,14}-([0-9a-f]{64})$/),
  {
    kind: 'slack-webhook',
    literal: 'hooks.slack.com/services/T',
    isAt: (text, at) => isSlackWebhook(text.slice(at, at + 90)),
  },
  ...['sk_live_', 'rk_live_'].map((literal) =>
    run(
      'stripe-key',
      literal,
      /^[rs]k_live_([0-9A-Za-z]{24,250})$/,
      (secret) => secret !== documentedStripeBody,
    ),
  ),
  run('google-client-secret', 'GOCSPX-', /^GOCSPX-([\w-]{28})$/),
  { kind: 'openai-key', literal: 'T3BlbkFJ', isAt: isOpenAiKey },
  run('anthropic-key', 'sk-ant-', /^sk-ant-(?:api|admin)\d\d-([\w-]{93}AA)$/),
  { kind: 'private-key', literal: 'PRIVATE KEY', isAt: isPrivateKey },
];

/** All forms, with the keys of this installation. */
export function secretForms(keyPrefix: string): readonly SecretForm[] {
  const literal = `${keyPrefix}_live_`;
  const own: SecretForm = {
    kind: 'key-of-this-service',
    literal,
    isAt: (text, at) => isSecretText(keyFrom(text, at), literal),
  };
  return [...forms, own];
}

/** The id in a signed URL (`X-Amz-Credential`, `AWSAccessKeyId`) is public, and no secret follows. */
function isAccessKeyId(text: string, at: number): boolean {
  const key = keyFrom(text, at);
  if (!/^A[KS]IA[A-Z2-7]{16}$/.test(key) || isPlaceholder(key)) return false;
  const before = text.slice(Math.max(0, at - 16), at);
  const after = text.slice(at + key.length, at + key.length + 3);
  if (/Credential(?:=|%3D)$/i.test(before) && /^(?:\/|%2F)/i.test(after)) return false;
  return !(before.endsWith('AWSAccessKeyId=') && after.startsWith('&'));
}

/** A secret access key is any forty characters; only the name before it identifies it. */
function isSecretAccessKey(rest: string): boolean {
  const secret = /^["']?\s{0,8}(?:[:=]|=>)\s{0,8}["'`]?([\d+/A-Za-z]{40})(?![\d+/=A-Za-z])/.exec(
    rest,
  )?.[1];
  if (secret === undefined || isPlaceholder(secret)) return false;
  return /\d/.test(secret) && /[a-z]/.test(secret) && /[A-Z]/.test(secret);
}

function isSlackWebhook(text: string): boolean {
  const secret = /^[a-z./]+\/T[\dA-Z]{8,12}\/B[\dA-Z]{8,12}\/([\dA-Za-z]{24})(?![\dA-Za-z])/.exec(
    text,
  )?.[1];
  return secret !== undefined && !isPlaceholder(secret);
}

const begin = '-----BEGIN ';
const labels = ['', 'RSA ', 'EC ', 'DSA ', 'OPENSSH ', 'ENCRYPTED ', 'PGP '];
const longestLabel = Math.max(...labels.map(({ length }) => length));
/** Characters to examine: they cover the headers of a key and the first lines of its content. */
const examinedCharacters = 600;
/** The first lines of the shortest key, of Ed25519. */
const fewestOfContent = 60;

/**
 * Whether a PEM block with a private key begins with this label: content in base64 that starts as such a
 * key does. Line ends may be written as `\n` (JSON). Code that only names the markers has no content.
 */
function isPrivateKey(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - begin.length - longestLabel), at);
  const label = labels.find((one) => before.endsWith(begin + one));
  const rest = text.slice(at + 'PRIVATE KEY'.length, at + examinedCharacters);
  const marker = label === 'PGP ' ? ' BLOCK-----' : '-----';
  if (label === undefined || !rest.startsWith(marker)) return false;
  const lines = rest.slice(marker.length).split(/\\r|\\n|[\r\n]/);
  const hasHeaders = lines.some((line) => line.includes(': '));
  const content = lines
    .map((line) => line.trim())
    .filter((line) => !line.includes(': '))
    .join('');
  const body = /^[\d+/=A-Za-z]+/.exec(content)?.[0] ?? '';
  if (body.length < fewestOfContent || isPlaceholder(body)) return false;
  return hasHeaders || startsOf(label).some((start) => body.startsWith(start));
}

/** The start of the content in base64: a packet of OpenPGP, the magic of OpenSSH, or an ASN.1 sequence. */
function startsOf(label: string): readonly string[] {
  if (label === 'PGP ') return ['l', 'x'];
  return label === 'OPENSSH ' ? ['b3BlbnNzaC1rZXkt'] : ['M'];
}
