import { isIPv4, isIPv6 } from 'node:net';

/**
 * The key of a caller: an IPv4 address itself, or the /64 of an IPv6 address, because
 * one subscriber has at least a /64 (RFC 6177).
 */
export function callerKey(address: string): string {
  return keyOf(address, 64);
}

/**
 * The key of the largest network that one customer of a provider has: an IPv4 address itself, or
 * the /48 of an IPv6 address, which has 65,536 different /64s (RFC 6177 §2).
 */
export function customerKey(address: string): string {
  return keyOf(address, 48);
}

/** The key of a caller's network: the /24 of an IPv4 address, or the /48 of an IPv6 address. */
export function networkKey(address: string): string {
  const key = customerKey(address);
  return isIPv4(key) ? `${key.split('.').slice(0, 3).join('.')}.0/24` : key;
}

function keyOf(address: string, prefix: 48 | 64): string {
  if (isIPv4(address)) return address;
  const plain = address.split('%')[0] ?? '';
  if (!isIPv6(plain)) return 'unknown';
  const groups = expand(plain);
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (mapped) return dotted(groups[6] ?? 0, groups[7] ?? 0);
  return `${groups
    .slice(0, prefix / 16)
    .map((group) => group.toString(16))
    .join(':')}::/${prefix}`;
}

function expand(address: string): number[] {
  const [head = '', tail] = withHexTail(address).split('::');
  const left = parseGroups(head);
  if (tail === undefined) return left;
  const right = parseGroups(tail);
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}

function parseGroups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

/** Rewrites a dotted tail (`::ffff:192.0.2.1`) as two hexadecimal groups. */
function withHexTail(address: string): string {
  const dots = address.match(/^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/);
  if (dots === null) return address;
  const [, head = '', ...octets] = dots;
  const [a = 0, b = 0, c = 0, d = 0] = octets.map(Number);
  return `${head}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
