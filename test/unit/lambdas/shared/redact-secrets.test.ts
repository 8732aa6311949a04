import { randomUUID } from 'node:crypto';
import { Logger } from '@aws-lambda-powertools/logger';
import { describe, expect, test } from '@jest/globals';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import fc from 'fast-check';
import { ProjectId } from '../../../../contract/fields.ts';
import { newApiKey } from '../../../../core/accounts/keys/api-key.ts';
import { makeAttemptToken, makeLongCode } from '../../../../core/accounts/sign-in/code-secrets.ts';
import { consentProof } from '../../../../core/oauth/authorization/consent-proof.ts';
import { newSecret } from '../../../../core/oauth/tokens/tokens.ts';
import { accessToken } from '../../../../core/visit/access/access-token.ts';
import { ownFilePath } from '../../../../core/visit/access/own-file-link.ts';
import { newShareToken } from '../../../../core/share-links/share-link.ts';
import { newOwnerLinkToken } from '../../../../core/visit/access/owner-link.ts';
import { previewToken } from '../../../../core/visit/access/preview.ts';
import { newWebhookSecret } from '../../../../core/webhooks/signature.ts';
import { redactFailures } from '../../../../lambdas/shared/logger.ts';
import { redactField, redactSecrets } from '../../../../lambdas/shared/redact-secrets.ts';
import { fixedSecret } from '../../../fixtures/fixed-secret.ts';
import { proofSize } from '../../../fixtures/proof-size.ts';
import { newToken } from '../../../../core/secret-text.ts';

const projectId = ProjectId.parse('0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11');
const expires = 1_900_000_000;
const secret = fixedSecret('a secret of the deployment');

/** Everything that grants something and that this service makes. */
const made: Record<string, () => string> = {
  'an API key': () => newApiKey('sw'),
  'an authorization code': () => newSecret('sw', 'code'),
  'an access token': () => newSecret('sw', 'access'),
  'a refresh token': () => newSecret('sw', 'refresh'),
  "a client's secret": () => newSecret('sw', 'client'),
  'the long code of a sign-in': () =>
    makeLongCode(secret, { email: 'a@example.org', nonce: randomUUID() }),
  'who asked for a code': () =>
    makeAttemptToken(secret, { email: 'a@example.org', nonce: randomUUID() }, 'a network'),
  'the token of a claim, an upload link or a session': newToken,
  'a secret of a webhook': newWebhookSecret,
  'a share link': () => newShareToken().token,
  'a preview': () => previewToken(fixedSecret(randomUUID()), { projectId, version: 3, expires }),
  'an owner link': () =>
    newOwnerLinkToken(fixedSecret(randomUUID()), {
      projectId,
      stamp: 'aB3_-x9Qw2Lk',
      expires,
      cookieUntil: expires,
    }),
  'a download': () => {
    const place = { host: 'a.sites.test', projectId, location: 'a1/b', size: 4 };
    const link = { bytesOfDay: 5, ...place, name: 'a.txt', expires, madeAt: 1 };
    return ownFilePath(fixedSecret(randomUUID()), link).split('/')[3] ?? '';
  },
  "a visitor's cookie": () =>
    accessToken(fixedSecret(randomUUID()), {
      projectId,
      role: 'guest',
      stamp: 'a-stamp_1',
      expires,
    }),
  'a consent': () =>
    consentProof(
      secret,
      { sessionHash: randomUUID(), query: new URLSearchParams('a=b') },
      new Date(),
    ),
};

/** How a secret may come into a log. */
const texts: readonly ((token: string) => string)[] = [
  (token) => token,
  (token) => `(${token})`,
  (token) => `no row for ${token}, try again`,
  (token) => `https://app.example.com/claim/${token}`,
  (token) => `https://app.example.com/account/keep/${token}`,
  (token) => `GET /v1/upload-links/${token}/uploads failed`,
  (token) => `fetch https://app.example.com/oauth/authorize?code=${token}&x=1`,
  (token) => `Bearer ${token}`,
  (token) => `__Host-slipway-session=${token}; Path=/`,
  (token) => `Unexpected token in JSON: {"token":"${token}"}`,
];

/** The last 20 characters are random in each of them. */
function leaks(logged: string, token: string): boolean {
  return logged.includes(token.slice(-20));
}

/** What a logger with our replacer writes. */
function logged(...extra: [string, ...Record<string, unknown>[]]): string {
  const lines: string[] = [];
  const logger = new Logger({ jsonReplacerFn: redactField });
  Object.assign(logger, { console: { info: (line: string) => lines.push(line) } });
  const [message, fields = {}] = extra;
  logger.info(message, fields);
  return lines.join('\n');
}

describe('logs contain no secret', () => {
  test.each(Object.entries(made))('%s is redacted wherever it stands', (_, make) => {
    for (let round = 0; round < 50; round += 1) {
      const token = make();
      for (const write of texts) {
        expect(leaks(write(token), token)).toBe(true);
        expect(redactSecrets(write(token))).toEqual(expect.not.stringContaining(token.slice(-20)));
      }
    }
  });

  test('within any other text', () => {
    const around = fc.string({ unit: fc.constantFrom(...Array.from(' ,;:()[]{}"\'\n<>|')) });
    const property = fc.property(
      around,
      fc.constantFrom(...Object.values(made)),
      around,
      (before, make, after) => {
        const token = make();
        return !leaks(redactSecrets(`${before}${token}${after}`), token);
      },
    );
    fc.assert(property, { numRuns: proofSize({ short: 100, whole: 500 }) });
  });

  test('signed URLs lose their signature and keep their path', () => {
    expect(
      redactSecrets(
        'PUT https://b.s3.amazonaws.com/temp/1/part-0?X-Amz-Credential=AKIA%2F2&X-Amz-Signature=00ff failed',
      ),
    ).toBe('PUT https://b.s3.amazonaws.com/temp/1/part-0?[redacted] failed');
    expect(redactSecrets('Expires=1&Signature=aB-c~_&Key-Pair-Id=K1')).toBe(
      'Expires=1&Signature=[redacted]&Key-Pair-Id=[redacted]',
    );
  });

  test('private keys and credentials of a role, complete or truncated', () => {
    const body = 'MIIEvQIBADANBgkqhkiG9w0BAQEF\nAASCBKcwggSjAgEAAoIBAQC7';
    const pem = `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----`;
    expect(redactSecrets(`key ${pem} is wrong`)).toBe('key [redacted] is wrong');
    expect(redactSecrets(pem.slice(0, 60))).toBe('[redacted]');
    expect(redactSecrets(`token ${'IQoJb3JpZ2lu/X2Vj+'.repeat(20)}== expired`)).toBe(
      'token [redacted] expired',
    );
  });

  test('routes, ids, hashes, source files and names of resources are kept', () => {
    for (const text of [
      '/v1/projects/claim/{claimToken}',
      '/v1/upload-links/{token}/uploads',
      '/_slipway/preview/ended',
      projectId,
      'a1b2'.repeat(16),
      'Error: no\n    at openLink (/core/upload-links/find-usable-link.ts:12:3)\n    at /lambdas/upload/index.mjs:1:2',
      'arn:aws:lambda:us-east-1:123456789012:function:SlipwayService-TempProjects12AB34CD-x1Y2z3',
      '1-6a7b8c9d-0123456789abcdef01234567',
    ]) {
      expect(redactSecrets(text)).toBe(text);
    }
  });

  test('an error is logged without secrets: message, stack, cause and its own fields', () => {
    const token = newToken();
    const url = `https://app.example.com/claim/${token}`;
    const error = Object.assign(new Error(`cannot reach ${url}`, { cause: new Error(token) }), {
      request: {
        url,
        headers: { Authorization: 'Basic YTpi', Cookie: 'a=b' },
        password: 'hunter2',
      },
    });
    const line = logged('request failed', { requestId: 'r-1', error });
    expect(line).not.toContain(token);
    expect(line).not.toMatch(/YTpi|a=b|hunter2/);
    expect(JSON.parse(line)).toMatchObject({
      message: 'request failed',
      requestId: 'r-1',
      error: { message: 'cannot reach https://app.example.com/claim/[redacted]' },
    });
  });

  test('what a function throws is redacted before Lambda logs it', async () => {
    const token = newApiKey('sw');
    const handler = middy<unknown, unknown>()
      .use(redactFailures())
      .handler(async () => {
        throw new TypeError(`no account for ${token}`);
      });
    const thrown = await handler({}, {} as Context).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ name: 'TypeError', message: 'no account for [redacted]' });
    expect((thrown as Error).stack).not.toContain(token);
  });
});
