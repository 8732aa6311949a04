import { expect, test } from '@jest/globals';
import type { DnsAnswer } from '../../../../core/domains/ports.ts';
import { judgeRoot } from '../../../../core/domains/judge-record.ts';

const value = 'cname.sites.example.net';
const endpoint = 'd111111abcdef8.cloudfront.net';
const record = { purpose: 'root', type: 'ALIAS', name: 'customer.com', value } as const;
const edge = { addresses: ['192.0.2.1', '192.0.2.2'], endpoint };
const found = (values: string[], aliases: string[] = []): DnsAnswer => ({
  kind: 'found',
  values,
  aliases,
  ttl: 60,
});

test.each<[string, DnsAnswer, string, RegExp | null]>([
  ['an address of the edge', found(['192.0.2.2']), 'ok', null],
  ['our name', found([], [value]), 'ok', null],
  ['the name of CloudFront', found([], [endpoint]), 'ok', null],
  [
    'no record',
    { kind: 'none', ttl: 60 },
    'missing',
    /Optional.* Route 53 .* alias to d111111abcdef8\.cloudfront\.net\./,
  ],
  ['no answer', { kind: 'failed', reason: 'unreachable' }, 'unknown', /do not answer/],
  [
    'addresses of somebody else',
    found(['203.0.113.7']),
    'unknown',
    /addresses \(203\.0\.113\.7\) that cname\.sites\.example\.net does not have now/,
  ],
  ['a name of somebody else', found(['203.0.113.7'], ['shop.example']), 'unknown', /shop\.example/],
])('%s', (_, answer, state, hint) => {
  const judged = judgeRoot(record, answer, edge);
  expect(judged.state).toBe(state);
  if (hint === null) expect(judged.hint).toBeNull();
  else expect(judged.hint).toMatch(hint);
});
