import { expect, test } from '@jest/globals';
import { decode, encode, type Answer } from 'dns-packet';
import { readAnswer, type Reply } from '../../../../adapters/domains/dns-answer.ts';
import type { DnsType } from '../../../../core/domains/ports.ts';

const name = 'shop.customer.com';
/** The owner of shop.customer.com only said that it is an alias; everything else is the target's. */
const alias: Answer = { name, type: 'CNAME', ttl: 60, data: 'Target.example.net' };
const at = 'target.example.net';
const ofTarget: Readonly<Record<DnsType, Answer>> = {
  NS: { name: at, type: 'NS', ttl: 60, data: 'ns1.example.net' },
  TXT: { name: at, type: 'TXT', ttl: 60, data: 'slipway-verification=abc' },
  CNAME: { name: at, type: 'CNAME', ttl: 60, data: 'further.example.net' },
  A: { name: at, type: 'A', ttl: 60, data: '192.0.2.1' },
  AAAA: { name: at, type: 'AAAA', ttl: 60, data: '2001:db8::1' },
  CAA: { name: at, type: 'CAA', ttl: 60, data: { flags: 0, tag: 'issue', value: 'amazon.com' } },
};

/** The reply as a server sends it. */
function reply(...answers: Answer[]): Reply {
  return decode(encode({ type: 'response', answers }));
}

test.each(['NS', 'TXT'] as const)('%s at the target of an alias says nothing', (type) => {
  const answer = readAnswer(reply(alias, ofTarget[type]), { name, type });
  expect(answer).toMatchObject({ kind: 'found', values: [], aliases: [at] });
});

test.each([
  ['A', '192.0.2.1'],
  ['AAAA', '2001:db8::1'],
  ['CAA', 'issue amazon.com'],
] as const)('%s at the target of an alias counts for it', (type, value) => {
  const answer = readAnswer(reply(alias, ofTarget[type]), { name, type });
  expect(answer).toMatchObject({ kind: 'found', values: [value], aliases: [at] });
});

test('an alias is what the name itself says', () => {
  const answer = readAnswer(reply(alias, ofTarget.CNAME), { name, type: 'CNAME' });
  expect(answer).toMatchObject({ kind: 'found', values: [at], aliases: [] });
});

test.each(['NS', 'TXT', 'A'] as const)('%s of a name that nobody asked for is ignored', (type) => {
  expect(readAnswer(reply(ofTarget[type]), { name, type })).toMatchObject({ kind: 'none' });
});

test('names are compared in any case', () => {
  const own: Answer = { name: 'SHOP.customer.com', type: 'TXT', ttl: 60, data: 'mine' };
  expect(readAnswer(reply(own), { name, type: 'TXT' })).toMatchObject({ values: ['mine'] });
});
