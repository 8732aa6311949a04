import { createSign } from 'node:crypto';

/** A signing key: its CloudFront key pair id, and its private key as PEM. */
export interface SigningKey {
  id: string;
  privateKey: string;
}

/**
 * A signed CloudFront URL that is valid until `until`, in whole seconds.
 *
 * CloudFront builds the canned policy from the URL again, so this text must match it exactly
 * (Amazon CloudFront Developer Guide, "Create a signature for a signed URL that uses a canned
 * policy"). It uses SHA-1 unless the URL names another hash.
 */
export function signedUrl(url: string, key: SigningKey, until: Date): string {
  const expires = Math.floor(until.getTime() / 1000);
  return signed(url, `Expires=${expires}`, policyFor(url, expires), key);
}

/**
 * The same with a custom policy, which names the addresses that the signature is valid for: `*` stands for
 * any characters. CloudFront reads it from the URL ("Create a signed URL using a custom policy").
 */
export function signedUrlFor(resource: string, url: string, key: SigningKey, until: Date): string {
  const policy = policyFor(resource, Math.floor(until.getTime() / 1000));
  return signed(url, `Policy=${inUrl(Buffer.from(policy).toString('base64'))}`, policy, key);
}

function policyFor(resource: string, expires: number): string {
  return `{"Statement":[{"Resource":${JSON.stringify(resource)},"Condition":{"DateLessThan":{"AWS:EpochTime":${expires}}}}]}`;
}

function signed(url: string, parameter: string, policy: string, key: SigningKey): string {
  const signature = createSign('RSA-SHA1').update(policy).sign(key.privateKey, 'base64');
  const separator = url.includes('?') ? '&' : '?';
  return `${url}${separator}${parameter}&Key-Pair-Id=${key.id}&Signature=${inUrl(signature)}`;
}

/** Base64 with the characters that have a meaning in queries replaced, as CloudFront defines it. */
function inUrl(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('=', '_').replaceAll('/', '~');
}
