import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { maxScannedBytes, secretFinder } from '../../../../../core/content/secrets/find-secrets.ts';
import { base62Checksum, newSecretText } from '../../../../../core/secret-text.ts';

const find = secretFinder('sw');
const found = (text: string) => find(Buffer.from(text)).map(({ kind }) => kind);

/** Characters that no rule takes for a placeholder, so that no key stands in this file as a whole. */
const random = (length: number, alphabet = 'q7WzR2kXv9TbN4mYc8LpJ6sHd3GfA5') =>
  Array.from({ length }, (_, at) => alphabet[(at * 7 + 3) % alphabet.length]).join('');
const hex = (length: number) => random(length, '0a9b8c7d6e5f1234');
const upper = (length: number) => random(length, 'Q7WZR2KXVTBN4MYCLPJ6SHD3GFA');
const checked = (prefix: string) => `${prefix}${random(30)}${base62Checksum(random(30))}`;
const wrong = (key: string) => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
const joined = (...parts: string[]) => parts.join('');

const pem = (type: 'rsa' | 'ec' | 'ed25519', format: 'pkcs1' | 'pkcs8' | 'sec1') => {
  const pair =
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 1024 })
      : type === 'ec'
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : generateKeyPairSync('ed25519');
  const options = { type: format, format: 'pem' } as never;
  return { secret: String(pair.privateKey.export(options)), pair };
};
const rsa = pem('rsa', 'pkcs8');
const publicPem = String(rsa.pair.publicKey.export({ type: 'spki', format: 'pem' }));
const encrypted = String(
  rsa.pair.privateKey.export({
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: 'harbour',
  }),
);
const block = (label: string, start: string) =>
  `-----BEGIN ${label}-----\n${start}${random(64 - start.length)}\n${random(64)}\n-----END ${label}-----\n`;

const gcp = JSON.stringify({ type: 'service_account', private_key: rsa.secret });

test.each([
  ['aws-access-key', `AKIA${upper(16)}`],
  ['aws-access-key', `ASIA${upper(16)}`],
  ['aws-secret-key', `aws_secret_access_key = ${random(38)}/+`],
  ['aws-secret-key', `{"secretAccessKey": "${random(40)}"}`],
  ['aws-secret-key', `export AWS_SECRET_ACCESS_KEY=${random(40)}`],
  ['github-token', joined('ghp_', 'zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ', '0mLq17')],
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((prefix) => ['github-token', checked(prefix)]),
  ['github-token', `github_pat_${random(22)}_${random(59)}`],
  ['npm-token', checked('npm_')],
  ['slack-token', `xoxb-123456789012-1234567890123-${random(24)}`],
  ['slack-token', `xoxp-123456789012-1234567890123-1234567890123-${hex(32)}`],
  ['slack-token', `xapp-1-A${upper(10)}-1234567890123-${hex(64)}`],
  ['slack-webhook', `https://hooks.slack.com/services/T${upper(10)}/B${upper(10)}/${random(24)}`],
  ['stripe-key', `sk_live_${random(24)}`],
  ['stripe-key', `rk_live_${random(99)}`],
  ['google-client-secret', `GOCSPX-${random(28)}`],
  ['openai-key', joined('sk-', random(20), 'T3Blbk', 'FJ', random(20))],
  ['openai-key', joined('sk-proj-', random(74), 'T3Blbk', 'FJ', random(74))],
  ['anthropic-key', `sk-ant-api03-${random(93)}AA`],
  ['key-of-this-service', newSecretText('sw_live_')],
  ['private-key', rsa.secret],
  ['private-key', rsa.secret.replaceAll('\n', '\r\n')],
  ['private-key', rsa.secret.replaceAll('\n', '\r')],
  ['private-key', gcp],
  ['private-key', encrypted],
  ['private-key', pem('rsa', 'pkcs1').secret],
  ['private-key', pem('ec', 'sec1').secret],
  ['private-key', pem('ec', 'pkcs8').secret],
  ['private-key', pem('ed25519', 'pkcs8').secret],
  ['private-key', block('OPENSSH PRIVATE KEY', 'b3BlbnNzaC1rZXktdjEA')],
  ['private-key', block('PGP PRIVATE KEY BLOCK', '\nlQ')],
  ['private-key', block('PGP PRIVATE KEY BLOCK', 'Version: GnuPG v2\n\nlQ')],
  ['private-key', block('RSA PRIVATE KEY', 'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A\n\n')],
])('finds %s', (kind, key) => {
  expect(found(key)).toEqual([kind]);
  // In code, and beside other text.
  expect(found(`const key = "${key}";`)).toEqual([kind]);
  expect(found(`a\n${key}\nb`)).toEqual([kind]);
});

test.each([
  ['the example of AWS', 'AKIAIOSFODNN7EXAMPLE'],
  ['its other example', 'AKIAI44QH8DHBEXAMPLE'],
  ['its example of a secret', 'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'],
  ['a placeholder', `aws_secret_access_key = ${'x'.repeat(40)}`],
  ['a longer word', `AKIA${upper(17)}`],
  ['a part of a word', `XAKIA${upper(16)}`],
  ['the id in a signed URL', `?X-Amz-Credential=ASIA${upper(16)}%2F20260301%2Feu-west-1`],
  ['the id in an older one', `?AWSAccessKeyId=AKIA${upper(16)}&Expires=1`],
  ['a wrong checksum (GitHub)', wrong(checked('ghp_'))],
  ['a wrong checksum (npm)', wrong(checked('npm_'))],
  ['a wrong checksum (ours)', wrong(newSecretText('sw_live_'))],
  ['the key of another installation', newSecretText('other_live_')],
  ['a placeholder (GitHub)', `ghp_${'x'.repeat(36)}`],
  ['a variable of npm', 'npm_config_registry npm_package_version'],
  ['a test key (Stripe)', `sk_test_${random(24)}`],
  ['a publishable key (Stripe)', `pk_live_${random(24)}`],
  ['the documented body (Stripe)', joined('sk_live_', '4eC39HqLyjWDarjtT1zdp7dc')],
  ['a placeholder (Stripe)', `sk_live_${'X'.repeat(24)}`],
  ['a key of a browser (Google)', `AIza${random(35)}`],
  ['a client id (Google)', `123456789012-${random(32).toLowerCase()}.apps.googleusercontent.com`],
  [
    'the documented webhook (Slack)',
    `https://hooks.slack.com/services/T00000000/B00000000/${'X'.repeat(24)}`,
  ],
  ['a class of CSS', '.mask-ant-icon .sk-ant-api03-button { } .xapp-root'],
  ['a public key', publicPem],
  ['a certificate', block('CERTIFICATE', 'MII')],
  ['a public key (OpenPGP)', block('PGP PUBLIC KEY BLOCK', '\nmQ')],
  ['an empty block', '-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----'],
  ['a placeholder in a block', '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----'],
  ['a row of one letter', `-----BEGIN RSA PRIVATE KEY-----\n${'M'.repeat(64)}`],
  [
    'code that names the markers',
    "if (pem.startsWith('-----BEGIN PRIVATE KEY-----')) return pem.slice(27)",
  ],
  ['what is no ASN.1', block('PRIVATE KEY', 'abc')],
  ['an icon as data', `url(data:image/png;base64,${random(200)})`],
])('does not take %s for a key', (_, text) => {
  expect(found(text)).toEqual([]);
  expect(found(`const key = "${text}";`)).toEqual([]);
});

describe('where a key stands', () => {
  const key = checked('ghp_');
  test.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('lines end with %s', (_, end) => {
    const text = ['one', 'two', key, '', key].join(end);
    expect(find(Buffer.from(text))).toEqual([
      { line: 3, kind: 'github-token' },
      { line: 5, kind: 'github-token' },
    ]);
  });

  test.each<[string, (text: string) => Buffer]>([
    ['UTF-8 with a mark', (text) => Buffer.from(`\uFEFF${text}`)],
    ['UTF-16 LE', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16 BE', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ])('in %s', (_, encode) => {
    expect(find(encode(`é\n${key}\n`))).toEqual([{ line: 2, kind: 'github-token' }]);
  });

  test('at the last byte, and in a part of a larger buffer', () => {
    const all = Buffer.from(`${key}${key}`);
    expect(find(all.subarray(key.length))).toEqual([{ line: 1, kind: 'github-token' }]);
  });

  test('not in binary files, nor in large ones', () => {
    expect(find(Buffer.from(`\0\u0001${key}`))).toEqual([]);
    const large = Buffer.alloc(maxScannedBytes + 1, ' ');
    large.write(key, 100);
    expect(find(large)).toEqual([]);
    expect(find(large.subarray(0, maxScannedBytes))).toHaveLength(1);
  });

  test('at most a hundred of a file', () => {
    expect(find(Buffer.from(`${key}\n`.repeat(500)))).toHaveLength(100);
  });
});

/** The time of a harmless file of the same size is the measure: a machine may be busy. */
describe('a hostile file of 1 MB takes linear time', () => {
  const fill = (unit: string) =>
    Buffer.from(unit.repeat(Math.ceil(maxScannedBytes / unit.length)).slice(0, maxScannedBytes));
  test.each([
    'AKIA',
    'ghp_',
    `ghp_${random(36)}`,
    'T3BlbkFJ',
    'sk-ant-',
    'sk_live_',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN RSA PRIVATE KEY-----\\n',
    'aws_secret_access_key =        ',
    'hooks.slack.com/services/T',
    `xoxb-123456789012-`,
  ])('%p', (unit) => {
    const { user } = process.cpuUsage();
    expect(find(fill(unit)).length).toBeLessThanOrEqual(100);
    expect((process.cpuUsage().user - user) / 1000).toBeLessThan(4000);
  });
});
