/** Errors of the authorization server as the RFCs name them: RFC 6749 §4.1.2.1 and §5.2, RFC 7591 §3.2.2, RFC 8707 §2, RFC 8628 §3.5. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'access_denied'
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata';

/** An expected error of the authorization server; the message becomes `error_description`. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: OAuthErrorCode;

  /** Why exactly, for programs; where one code stands for several causes. */
  readonly reason: string | undefined;

  constructor(code: OAuthErrorCode, description: string, reason?: string) {
    super(description);
    this.code = code;
    this.reason = reason;
  }
}
