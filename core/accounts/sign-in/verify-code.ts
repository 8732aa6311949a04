import type { Caller } from '../../caller.ts';
import { hashKey, newApiKey, signInKey } from '../keys/api-key.ts';
import type { KeyStore } from '../ports.ts';
import { type Proof, type ProveAddressDeps, proveAddress, provision } from './prove-address.ts';
import { type SignInNoticeDeps, tellOfSignIn } from './sign-in-notice.ts';

/** What signing in needs. */
export interface VerifyCodeDeps extends ProveAddressDeps, SignInNoticeDeps {
  keys: Pick<KeyStore, 'put'>;
  keyPrefix: string;
}

/**
 * Turns a code into a key, shown once. The owner of an account that was there before is mailed: a
 * program has no cookie by which it would be known.
 * @throws CodedError those of proveAddress
 */
export async function verifyCode(deps: VerifyCodeDeps, caller: Caller, proof: Proof) {
  const beganAt = deps.now();
  const account = await proveAddress(deps, caller, proof);
  const apiKey = newApiKey(deps.keyPrefix);
  const stored = signInKey(account.id, apiKey, deps.now());
  await provision(caller, () => deps.keys.put(hashKey(apiKey), stored));
  await tellOfSignIn(deps, account, { gave: 'key', caller, beganAt });
  return {
    email: account.email,
    apiKey,
    expiresAt: stored.expiresAt,
    message: 'Save this key now: it is shown only once. Each use renews it for 90 days.',
  };
}
