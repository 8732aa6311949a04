import {
  type AuthenticateDeps,
  authenticate,
  type SignedIn,
} from '../../accounts/keys/authenticate.ts';
import { CodedError } from '../../errors.ts';
import { type FindTokenDeps, findToken, type TokenHolder } from './find-token.ts';

/** What a request to the MCP endpoint came with. */
export type Credential =
  | { kind: 'none' }
  | { kind: 'invalid'; reason: string }
  /** A good one, which its client is to keep: 401 would make it throw it away. */
  | { kind: 'suspended'; refusal: CodedError }
  | { kind: 'key'; who: SignedIn }
  | { kind: 'token'; who: TokenHolder };

/** What telling who calls the MCP endpoint needs. */
export type AuthenticateAgentDeps = AuthenticateDeps & FindTokenDeps;

/** Who calls the MCP endpoint: with an API key, or with an access token of a connected app. */
export async function authenticateAgent(
  deps: AuthenticateAgentDeps,
  authorization: string | undefined,
): Promise<Credential> {
  const [, sent] = /^Bearer +(\S+)\s*$/i.exec(authorization ?? '') ?? [];
  if (sent === undefined) return { kind: 'none' };
  try {
    if (sent.startsWith(`${deps.keyPrefix}_live_`)) {
      return { kind: 'key', who: await authenticate(deps, authorization) };
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
