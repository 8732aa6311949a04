import { expect, test } from '@jest/globals';
import { resolveSecrets } from '../../assembly/secret-references.ts';

const arn = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:Name-abc123';
const secret = (id: string, stage?: string) => {
  if (stage !== undefined) return `value at ${stage}`;
  return id === arn ? 'plain' : '{"user":"ann"}';
};

test.each<[string, unknown, unknown]>([
  ['a whole secret', `{{resolve:secretsmanager:${arn}:SecretString:::}}`, 'plain'],
  ['a secret inside a text', `a-{{resolve:secretsmanager:${arn}}}-b`, 'a-plain-b'],
  [
    'the value at a label',
    `{{resolve:secretsmanager:${arn}:SecretString::origin-current:}}`,
    'value at origin-current',
  ],
  ['one field', '{{resolve:secretsmanager:other:SecretString:user::}}', 'ann'],
  [
    'values at any depth',
    { a: [{ b: `{{resolve:secretsmanager:${arn}:SecretString:::}}` }] },
    { a: [{ b: 'plain' }] },
  ],
  ['nothing else', { a: 1, b: 'x' }, { a: 1, b: 'x' }],
])('resolves %s', (_, value, expected) => {
  expect(resolveSecrets(value, secret)).toEqual(expected);
});

test.each([
  ['another kind of reference', '{{resolve:ssm:name}}'],
  ['an old version', '{{resolve:secretsmanager:other:SecretString::AWSPREVIOUS:}}'],
  ['a field that is not there', '{{resolve:secretsmanager:other:SecretString:colour::}}'],
])('refuses %s', (_, value) => {
  expect(() => resolveSecrets(value, secret)).toThrow();
});
