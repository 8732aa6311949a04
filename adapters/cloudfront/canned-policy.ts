import { createSign } from 'node:crypto';

/** Which key signs, as CloudFront knows it, and its private half as PEM. */
export interface SigningKey {
  id: string;
  privateKey: string;
}

/**
 * A URL that CloudFront answers until `until`, in whole seconds.
 *
 * The policy is CloudFront's canned one, which it makes anew from the URL: its text has to be this
 * to the letter (Amazon CloudFront Developer Guide, "Create a signature for a signed URL that uses
 * a canned policy"). SHA-1 is what it takes where the URL names no other hash.
 */
export function signedUrl(url: string, key: SigningKey, until: Date): string {
  const expires = Math.floor(until.getTime() / 1000);
  const policy = `{"Statement":[{"Resource":${JSON.stringify(url)},"Condition":{"DateLessThan":{"AWS:EpochTime":${expires}}}}]}`;
  const signature = createSign('RSA-SHA1').update(policy).sign(key.privateKey, 'base64');
  const separator = url.includes('?') ? '&' : '?';
  return `${url}${separator}Expires=${expires}&Key-Pair-Id=${key.id}&Signature=${inUrl(signature)}`;
}

/** Base64 with what a query would read as its own signs replaced, as CloudFront defines it. */
function inUrl(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('=', '_').replaceAll('/', '~');
}
