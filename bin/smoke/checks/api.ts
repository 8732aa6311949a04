import * as z from 'zod';
import type { Check } from '../check.ts';
import { expectHeader, expectJson, expectStatus, expectThat } from '../expectations.ts';

const Refusal = (code: string) =>
  z.object({ status: z.literal('error'), code: z.literal(code), nextStep: z.string().min(1) });

const contentSecurityPolicy: Check = {
  name: 'content-security-policy',
  why: 'A mistake in a page of the app would let others run scripts there.',
  async run(stage) {
    const page = expectStatus(await stage.send('/'), 200);
    const policy = expectHeader(page, 'content-security-policy', /^default-src 'none'/);
    expectThat(!policy.includes('unsafe'), 'GET /: the policy allows unsafe sources');
    expectHeader(page, 'x-content-type-options', 'nosniff');
  },
};

/** RFC 1952 §2.3.1. */
const gzipMagic = 0x1f8b;

const compressedDocuments: Check = {
  name: 'compressed-documents',
  why: 'The front page and the documentation arrive as base64 text, or in three times the bytes.',
  async run(stage) {
    const headers = { accept: 'text/html,*/*;q=0.8', 'accept-encoding': 'gzip' };
    const page = expectStatus(await stage.send('/', { headers }), 200);
    expectHeader(page, 'content-encoding', 'gzip');
    expectThat(page.body.readUInt16BE(0) === gzipMagic, 'GET /: the body is not gzip');
    const claim = await stage.send(`/claim/${'A'.repeat(43)}`, { headers });
    expectThat(claim.headers['content-encoding'] === undefined, 'the claim page is compressed');
  },
};

const unknownPath: Check = {
  name: 'unknown-path',
  why: 'API Gateway answers with an error that clients do not understand.',
  async run(stage) {
    const headers = { authorization: 'Bearer x' };
    const answer = expectStatus(await stage.send('/v1/nothing', { headers }), 404);
    expectJson(answer, Refusal('NOT_FOUND'));
  },
};

const notFoundPage: Check = {
  name: 'not-found-page',
  why: 'People get JSON, or programs get a page, or a route is hidden by the one for unknown paths.',
  async run(stage) {
    expectJson(expectStatus(await stage.send('/v1/nothing'), 404), Refusal('NOT_FOUND'));
    const page = await stage.send('/nothing', { headers: { accept: 'text/html' } });
    expectHeader(expectStatus(page, 404), 'content-type', /^text\/html/);
    const version = expectStatus(await stage.send('/v1'), 200);
    expectJson(version, z.object({ version: z.string() }));
  },
};

const favicon: Check = {
  name: 'favicon',
  why: 'API Gateway sends binary files as base64 text: icons and QR codes are broken.',
  async run(stage) {
    const { body } = expectStatus(await stage.send('/favicon.ico'), 200);
    const isIcon = body.subarray(0, 4).equals(Buffer.from([0, 0, 1, 0]));
    expectThat(isIcon, 'GET /favicon.ico: the body is not an icon');
  },
};

const methods: Check = {
  name: 'methods',
  why: 'Link checkers and monitors use HEAD; clients read `Allow`.',
  async run(stage) {
    for (const path of ['/v1', '/docs']) {
      const head = expectStatus(await stage.send(path, { method: 'HEAD' }), 200);
      const got = expectStatus(await stage.send(path), 200);
      const length = head.headers['content-length'];
      const isTrue = length === undefined || length === got.headers['content-length'];
      expectThat(isTrue, `HEAD ${path}: content-length is ${length}, not that of the GET`);
    }
    const refused = expectStatus(await stage.send('/v1', { method: 'PUT' }), 405);
    expectHeader(refused, 'allow', 'GET, HEAD, OPTIONS');
  },
};

const preflight: Check = {
  name: 'preflight',
  why: 'Browsers do not let pages of other domains use the API with a key.',
  async run(stage) {
    const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' };
    const answer = await stage.send('/v1/user', { method: 'OPTIONS', headers });
    expectHeader(expectStatus(answer, 204), 'access-control-allow-methods', 'GET,HEAD');
    const refused = expectStatus(await stage.send('/v1/user', { headers }), 401);
    expectHeader(refused, 'access-control-allow-origin', '*');
  },
};

const megabyte = 1024 * 1024;

const bodyLimits: Check = {
  name: 'body-limits',
  why: 'Whoever uploads too much gets an error without a next step.',
  async run(stage) {
    for (const size of [11 * megabyte, 7 * megabyte]) {
      const answer = await stage.send('/v1/projects/temp', {
        method: 'POST',
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
        body: Buffer.alloc(size),
      });
      expectJson(expectStatus(answer, 413), Refusal('PAYLOAD_TOO_LARGE'));
    }
  },
};

const longAuthorize: Check = {
  name: 'long-authorize',
  why: 'Agents cannot connect: the firewall refuses their sign-in before it reaches the service.',
  async run(stage) {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'npm-run-smoke',
      redirect_uri: 'http://127.0.0.1:33418/',
      state: 's'.repeat(3000),
    });
    const answer = await stage.send(`/oauth/authorize?${query.toString()}`);
    // The service does not know this client; the firewall would answer 403 without a request id.
    expectHeader(expectStatus(answer, 400), 'x-request-id', /\S/);
  },
};

const securityContact: Check = {
  name: 'security-contact',
  why: 'Nobody knows where to report a weakness. Set `securityContact`.',
  async run(stage) {
    const answer = expectStatus(await stage.send('/.well-known/security.txt'), 200);
    expectThat(/^Contact: \S/m.test(answer.body.toString()), 'security.txt names no contact');
  },
};

/** What programs and browsers get from the app without a key. */
export const apiChecks: readonly Check[] = [
  contentSecurityPolicy,
  compressedDocuments,
  unknownPath,
  notFoundPage,
  favicon,
  methods,
  preflight,
  bodyLimits,
  longAuthorize,
  securityContact,
];
