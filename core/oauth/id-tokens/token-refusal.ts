import { OAuthError } from '../oauth-error.ts';

/** Why a token of a job gives no key; `reason` of the answer. */
const refusals = {
  token_too_large: 'The subject_token must have at most 8192 characters.',
  token_malformed: 'The subject_token is no signed JWT.',
  issuer_unknown: 'The subject_token is of no CI service that this installation trusts.',
  algorithm_refused: 'The subject_token must be signed with RS256 or ES256.',
  key_unknown: 'The subject_token is signed with a key that its issuer does not have.',
  signature_invalid: 'The signature of the subject_token is wrong.',
  audience_differs:
    'The audience of the subject_token must be this installation, and nothing else.',
  token_expired: 'The subject_token has expired. Request a new one in the same job.',
  token_not_yet_valid: 'The subject_token is not valid yet.',
  token_too_old: 'The subject_token is too old. Request a new one shortly before its use.',
  claim_missing: 'The subject_token lacks a claim, or one has another form.',
  token_used: 'The subject_token was used before. Each one gives a key once.',
  publisher_unknown: 'There is no trusted publisher with this client_id.',
  provider_differs: 'The trusted publisher is at another CI service.',
  repository_differs: 'The trusted publisher is another repository.',
  repository_id_differs:
    'The repository has this name, but is not the one that used this trusted publisher first. If it is yours, delete the trusted publisher and add it again.',
  branch_differs: 'The trusted publisher is for another branch.',
  environment_differs:
    'The trusted publisher is for another environment. One for a branch or for pull requests is for jobs without an environment.',
  event_differs: 'The trusted publisher is not for jobs that were started in this way.',
  subject_differs: 'The subject of the token does not agree with its other claims.',
} as const;

export type TokenRefusal = keyof typeof refusals;

/**
 * The error for a token that gives no key (RFC 8693 §2.2.2: `invalid_request`).
 * @param found what the token has instead, in the words of the token
 */
export function refuseToken(reason: TokenRefusal, found?: string): OAuthError {
  const detail = found === undefined ? '' : ` The token has ${found.slice(0, 200)}.`;
  return new OAuthError('invalid_request', `${refusals[reason]}${detail}`, reason);
}
