import type { Caller } from '../../caller.ts';
import { hashKey, newApiKey, newSignInKey } from '../keys/api-key.ts';
import type { KeyStore } from '../ports.ts';
import {
  type AddressProof,
  type ProveAddressDeps,
  proveAddress,
  provision,
} from './prove-address.ts';
import { type SignInNoticeDeps, notifyOfSignIn } from './sign-in-notice.ts';

/** The dependencies of `verifySignInCode`. */
export interface VerifyCodeDeps extends ProveAddressDeps, SignInNoticeDeps {
  keys: Pick<KeyStore, 'put'>;
  keyPrefix: string;
}

/**
 * Exchanges a sign-in code for an API key, which is returned only here. Mails the owner of an
 * existing account each time: a program has no cookie to be recognised by.
 * @throws CodedError those of proveAddress
 */
export async function verifySignInCode(deps: VerifyCodeDeps, caller: Caller, proof: AddressProof) {
  const beganAt = deps.now();
  const account = await proveAddress(deps, caller, proof);
  const apiKey = newApiKey(deps.keyPrefix);
  const stored = newSignInKey(account.id, apiKey, deps.now());
  await provision(caller, () => deps.keys.put(hashKey(apiKey), stored));
  await notifyOfSignIn(deps, account, { granted: 'key', caller, beganAt });
  return {
    email: account.email,
    apiKey,
    expiresAt: stored.expiresAt,
    message: 'Save this key now: it is shown only once. Each use renews it for 90 days.',
  };
}
