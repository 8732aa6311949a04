import { expect, test } from '@jest/globals';
import { callerKey, customerKey, networkKey } from '../../../../core/limits/caller-key.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002:ffff::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['not an address', 'unknown'],
  ['', 'unknown'],
])('%s is counted as %s', (address, key) => {
  expect(callerKey(address)).toBe(key);
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:db8:1:ffff::1', '2001:db8:1::/48'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['', 'unknown'],
])('one customer has %s: %s', (address, key) => {
  expect(customerKey(address)).toBe(key);
});

test.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['2001:db8:1:ffff::1', '2001:db8:1::/48'],
  ['::ffff:203.0.113.7', '203.0.113.0/24'],
  ['', 'unknown'],
])('the network of %s is %s', (address, key) => {
  expect(networkKey(address)).toBe(key);
});
