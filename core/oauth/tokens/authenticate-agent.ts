import {
  type AuthenticateDeps,
  authenticateKey,
  type AuthenticatedKey,
} from '../../accounts/keys/authenticate.ts';
import { CodedError } from '../../errors.ts';
import { type FindTokenDeps, findToken, type TokenHolder } from './find-token.ts';

/** The credential of a request to the MCP endpoint, after checking. */
export type Credential =
  | { kind: 'none' }
  | { kind: 'invalid'; reason: string }
  /** A valid credential of a suspended account. Not answered with 401, which would make the client discard it. */
  | { kind: 'suspended'; refusal: CodedError }
  | { kind: 'key'; who: AuthenticatedKey }
  | { kind: 'token'; who: TokenHolder };

/** The dependencies for identifying the caller of the MCP endpoint. */
export type AuthenticateAgentDeps = AuthenticateDeps & FindTokenDeps;

/** Identifies the caller of the MCP endpoint by an API key, or by the access token of a connected app. */
export async function authenticateAgent(
  deps: AuthenticateAgentDeps,
  authorization: string | undefined,
): Promise<Credential> {
  const [, sent] = /^Bearer +(\S+)\s*$/i.exec(authorization ?? '') ?? [];
  if (sent === undefined) return { kind: 'none' };
  try {
    if (sent.startsWith(`${deps.keyPrefix}_live_`)) {
      return { kind: 'key', who: await authenticateKey(deps, authorization) };
    }
    const who = await findToken(deps, sent);
    return who === undefined
      ? { kind: 'invalid', reason: 'This access token has expired or was revoked.' }
      : { kind: 'token', who };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    if (error.code === 'ACCOUNT_SUSPENDED') return { kind: 'suspended', refusal: error };
    return { kind: 'invalid', reason: error.message };
  }
}
