import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** IPv4 networks that are not globally reachable (IANA special-purpose registry, RFC 6890). */
const closed4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/**
 * Excluded parts of global unicast (2000::/3): protocol assignments with Teredo, documentation, and
 * 6to4, which contains an IPv4 address. All other ranges with IPv4 addresses are outside 2000::/3.
 */
const closed6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const closed = new BlockList();
for (const [network, prefix] of closed4) closed.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of closed6) closed.addSubnet(network, prefix, 'ipv6');
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/**
 * Whether an address is on the public internet, so that this service may connect to it on a
 * stranger's request.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !closed.check(address, 'ipv4');
  return isIPv6(address) && globalUnicast.check(address, 'ipv6') && !closed.check(address, 'ipv6');
}
