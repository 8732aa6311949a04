import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose';
import { CiProvider } from '../../../contract/operations/trusted-publishers.ts';
import { ciProviders, type IdToken } from './ci-providers.ts';
import type { KeySets } from './ports.ts';
import { refuseToken, type TokenRefusal } from './token-refusal.ts';

/** Tokens of GitHub and GitLab have some 2,000 characters. */
const maxTokenCharacters = 8192;
/** Clocks of two services may differ. */
const leewaySeconds = 30;

/** The dependencies for checking a token. */
export interface VerifyDeps {
  keySets: KeySets;
  /** The issuer of each CI service, as its tokens name it. */
  issuers: Readonly<Record<CiProvider, string>>;
  /** The only audience. */
  baseUrl: string;
  now(): Date;
}

/**
 * Checks the token of a job: its signature by a key of its issuer, its audience and its times (RFC 7519,
 * RFC 8725). What the job may do is not decided here.
 * @throws OAuthError invalid_request
 * @throws CodedError UNAVAILABLE when the keys of the issuer cannot be read
 */
export async function verifyIdToken(deps: VerifyDeps, token: string): Promise<IdToken> {
  if (token.length > maxTokenCharacters) throw refuseToken('token_too_large');
  const provider = providerOf(deps, token);
  const { maxAgeSeconds, keySetPath, read } = ciProviders[provider];
  const issuer = deps.issuers[provider];
  const { payload } = await jwtVerify(token, deps.keySets.of(new URL(issuer + keySetPath)), {
    algorithms: ['RS256', 'ES256'],
    issuer,
    audience: deps.baseUrl,
    requiredClaims: ['sub', 'jti', 'exp'],
    maxTokenAge: maxAgeSeconds,
    clockTolerance: leewaySeconds,
    currentDate: deps.now(),
  }).catch((error: unknown) => {
    throw refusalOf(error);
  });
  // A token for two audiences is one that the other can use here.
  if (payload.aud !== deps.baseUrl) throw refuseToken('audience_differs');
  const { jti, iat } = payload;
  if (!isText(jti) || iat === undefined) throw refuseToken('claim_missing', 'no jti');
  const refusedFrom = new Date((iat + maxAgeSeconds + 2 * leewaySeconds) * 1000);
  return { provider, issuer, jti, refusedFrom, ...readJob(payload, read) };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The service whose token it claims to be; and a key is named, because a set has several. */
function providerOf({ issuers }: VerifyDeps, token: string): CiProvider {
  const { iss, kid } = readUnverified(token);
  if (!isText(kid)) throw refuseToken('key_unknown', 'no kid');
  const found = CiProvider.options.find((one) => issuers[one] === iss);
  if (found === undefined) throw refuseToken('issuer_unknown');
  return found;
}

function readUnverified(token: string) {
  try {
    return { iss: decodeJwt(token).iss, kid: decodeProtectedHeader(token).kid };
  } catch {
    throw refuseToken('token_malformed');
  }
}

function readJob<Job>(payload: JWTPayload, read: (payload: JWTPayload) => Job | undefined): Job {
  const job = read(payload);
  if (job === undefined) throw refuseToken('claim_missing');
  return job;
}

/** The refusal for an error of `jose`; our own errors pass. */
function refusalOf(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) {
    return refuseToken(error.claim === 'iat' ? 'token_too_old' : 'token_expired');
  }
  if (error instanceof errors.JWTClaimValidationFailed) return refuseToken(...claimRefusal(error));
  const [, reason] = kinds.find(([kind]) => error instanceof kind) ?? [];
  return reason === undefined ? error : refuseToken(reason);
}

function claimRefusal({ claim, reason }: errors.JWTClaimValidationFailed): [TokenRefusal, string?] {
  if (reason !== 'check_failed') return ['claim_missing', `no usable ${claim}`];
  if (claim === 'aud') return ['audience_differs'];
  return [claim === 'iss' ? 'issuer_unknown' : 'token_not_yet_valid'];
}

const kinds: readonly (readonly [new (...args: never[]) => Error, TokenRefusal])[] = [
  [errors.JOSEAlgNotAllowed, 'algorithm_refused'],
  [errors.JWKSNoMatchingKey, 'key_unknown'],
  [errors.JWKSMultipleMatchingKeys, 'key_unknown'],
  [errors.JWSSignatureVerificationFailed, 'signature_invalid'],
  [errors.JWTInvalid, 'token_malformed'],
  [errors.JWSInvalid, 'token_malformed'],
  [errors.JOSENotSupported, 'token_malformed'],
];
