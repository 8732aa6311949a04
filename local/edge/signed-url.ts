import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { BlockList, isIP, isIPv6 } from 'node:net';
import * as z from 'zod';
import type { HttpRequest } from '../http/http.ts';
import { matchesWildcard } from '../iam/wildcard.ts';
import { pathWithQuery, queryPairs } from './request-parts.ts';
import { type Resource, ignored, parseProperties, rejectProperty } from '../assembly/resource.ts';

/** Why a signed URL is refused; undefined if it is valid. */
export type SignatureRefusal = 'missing-key' | 'unknown-key' | 'denied' | undefined;

/** Query parameters that CloudFront reserves on restricted behaviours. */
const RESERVED = new Set(['Expires', 'Signature', 'Policy', 'Key-Pair-Id']);

const PublicKeyProperties = z.strictObject({
  PublicKeyConfig: z.strictObject({
    CallerReference: ignored,
    Comment: ignored,
    Name: ignored,
    EncodedKey: z.string(),
  }),
});

const KeyGroupProperties = z.strictObject({
  KeyGroupConfig: z.strictObject({
    Comment: ignored,
    Name: ignored,
    Items: z.array(z.string()).min(1),
  }),
});

const Policy = z.object({
  Statement: z.tuple([
    z.object({
      Resource: z.string().default('*'),
      Condition: z.object({
        DateLessThan: z.object({ 'AWS:EpochTime': z.int() }),
        DateGreaterThan: z.object({ 'AWS:EpochTime': z.int() }).optional(),
        IpAddress: z.object({ 'AWS:SourceIp': z.string() }).optional(),
      }),
    }),
  ]),
});

/** Parses an `AWS::CloudFront::PublicKey`; the key must be RSA. */
export function signingKey(resource: Resource): KeyObject {
  const pem = parseProperties(resource, PublicKeyProperties).PublicKeyConfig.EncodedKey;
  try {
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // Rejected below: the key's text must not appear in an error message.
  }
  return rejectProperty(
    resource,
    'PublicKeyConfig.EncodedKey',
    'is not an RSA public key in PEM form',
  );
}

/** The ids of the public keys of an `AWS::CloudFront::KeyGroup`. */
export function keyGroupItems(resource: Resource): string[] {
  return parseProperties(resource, KeyGroupProperties).KeyGroupConfig.Items;
}

/** The query without CloudFront's own parameters, for the origin and the cache key. */
export function withoutSignature(query: string): string {
  return queryPairs(query)
    .filter(({ name }) => !RESERVED.has(name))
    .map(({ raw }) => raw)
    .join('&');
}

/**
 * Checks a signed URL, canned or custom policy, against the keys of the behaviour's key groups.
 *
 * The URL is checked as the viewer sent it, before any viewer-request function. On localhost it
 * consists of `http://`, the Host header, the path and the remaining query. Signed cookies are not
 * supported.
 */
export function checkSignature(
  request: HttpRequest,
  keys: ReadonlyMap<string, KeyObject>,
  now: Date,
): SignatureRefusal {
  const parameters = new Map<string, string>();
  for (const { name, value } of queryPairs(request.query)) {
    if (!RESERVED.has(name)) continue;
    if (parameters.has(name)) return 'denied';
    parameters.set(name, value);
  }
  const keyId = parameters.get('Key-Pair-Id') ?? '';
  if (keyId === '') return 'missing-key';
  const key = keys.get(keyId);
  if (key === undefined) return 'unknown-key';
  const url = `http://${request.headers['host'] ?? ''}${pathWithQuery(request.path, withoutSignature(request.query))}`;
  const policy = signedPolicy(parameters, url);
  const signature = fromUrlSafe(parameters.get('Signature') ?? '');
  if (policy === undefined || !verify('RSA-SHA1', policy, key, signature)) return 'denied';
  return policyAllows(policy, url, request.viewer.address, now) ? undefined : 'denied';
}

/** The signed bytes: the custom policy as sent, or the canned policy of this URL. */
function signedPolicy(parameters: ReadonlyMap<string, string>, url: string): Buffer | undefined {
  const custom = parameters.get('Policy');
  const expires = parameters.get('Expires');
  if (custom !== undefined) return expires === undefined ? fromUrlSafe(custom) : undefined;
  if (expires === undefined || !/^\d{1,10}$/.test(expires)) return undefined;
  return Buffer.from(
    `{"Statement":[{"Resource":"${url}","Condition":{"DateLessThan":{"AWS:EpochTime":${expires}}}}]}`,
  );
}

function policyAllows(policy: Buffer, url: string, address: string, now: Date): boolean {
  const parsed = Policy.safeParse(parseJson(policy.toString()));
  if (!parsed.success) return false;
  const { Resource, Condition } = parsed.data.Statement[0];
  const seconds = now.getTime() / 1000;
  const from = Condition.DateGreaterThan?.['AWS:EpochTime'] ?? 0;
  const network = Condition.IpAddress?.['AWS:SourceIp'];
  return (
    matchesWildcard(Resource, url) &&
    seconds < Condition.DateLessThan['AWS:EpochTime'] &&
    seconds >= from &&
    (network === undefined || isWithin(address, network))
  );
}

function isWithin(address: string, network: string): boolean {
  const [base = '', bits] = network.split('/');
  if (isIP(base) === 0 || isIP(base) !== isIP(address)) return false;
  const family = isIPv6(base) ? 'ipv6' : 'ipv4';
  const list = new BlockList();
  list.addSubnet(base, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  return list.check(address, family);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** CloudFront's URL-safe base64 uses `-`, `_` and `~` for `+`, `=` and `/`. */
function fromUrlSafe(text: string): Buffer {
  return Buffer.from(text.replace(/-/g, '+').replace(/_/g, '=').replace(/~/g, '/'), 'base64');
}
