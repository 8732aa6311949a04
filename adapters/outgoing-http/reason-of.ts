const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed before an answer',
  ENOTFOUND: 'its host has no public address',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};

/** Why there was no answer: our own errors pass; those of the network get a sentence, which tells nothing of this side. */
export function reasonOf(error: unknown, timedOut: string): string {
  if (!(error instanceof Error)) return 'it could not be reached';
  if (!('code' in error)) return error.message;
  if (error.code === 'ETIMEDOUT') return timedOut;
  return reasons[String(error.code)] ?? 'it could not be reached';
}
