import { bearerChallenge, oauthScopes } from '../../contract/oauth/oauth.ts';
import { renew } from '../../core/accounts/keys/authenticate.ts';
import { CodedError } from '../../core/errors.ts';
import { countRequest } from '../../core/limits/request-limit.ts';
import { authenticateAgent } from '../../core/oauth/tokens/authenticate-agent.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { setting } from '../shared/settings.ts';
import type { Agent } from './agent.ts';
import { McpRefusal } from './refusal.ts';
import { admissionServices } from './services.ts';

/** Of one request; as base64 in Lambda's event of 6 MB there is room for no more. */
const maxBodyBytes = 4 * 1024 * 1024;

/** Pages that run MCP clients in a browser. */
const knownOrigins = new Set([
  'https://claude.ai',
  'https://claude.com',
  'https://chatgpt.com',
  'https://cursor.com',
  'https://vscode.dev',
]);

/** Programs on the caller's own machine, on any port. */
const loopback = /^https?:\/\/(?:localhost|127\.0\.0\.1)(?::\d{1,5})?$/;

/**
 * Who calls, once everything that needs no look at the body's text is checked. Nothing is believed
 * of what the gateway's authorizer found: a way around it would be a way in.
 * @throws CodedError, McpRefusal 403, 413, 401, 429
 */
export async function admit(request: ApiRequest): Promise<Agent> {
  requireKnownOrigin(request.headers['origin']);
  requireSize(request.body);
  const agent = await identify(request);
  await countRequest(admissionServices(), agent.caller);
  return agent;
}

/** A page of another host could otherwise use a server that its visitor can reach (MCP, DNS rebinding). */
function requireKnownOrigin(origin: string | undefined): void {
  if (origin === undefined || knownOrigins.has(origin) || loopback.test(origin)) return;
  if (origin === new URL(setting('BASE_URL')).origin) return;
  throw new CodedError('ORIGIN_REFUSED', { error: 'Pages of this origin may not call tools.' });
}

function requireSize({ length }: Buffer): void {
  if (length <= maxBodyBytes) return;
  throw new CodedError('PAYLOAD_TOO_LARGE', {
    error: `The call has ${length} bytes; at most ${maxBodyBytes} are taken.`,
  });
}

async function identify({ headers, caller }: ApiRequest): Promise<Agent> {
  const credential = await authenticateAgent(admissionServices(), headers['authorization']);
  switch (credential.kind) {
    case 'key': {
      const { who } = credential;
      await renew(admissionServices(), who);
      const { account, keyHash } = who;
      const proof = { kind: 'key', keyHash } as const;
      return { caller: { ...caller, account, credential: proof }, scopes: oauthScopes };
    }
    case 'token': {
      const { account, scopes, grantId } = credential.who;
      const proof = { kind: 'app', grantId } as const;
      return { caller: { ...caller, account, credential: proof }, scopes };
    }
    case 'suspended':
      throw credential.refusal;
    case 'none': {
      const error = 'No credential was sent.';
      throw challenged(new CodedError('API_KEY_MISSING', { error }));
    }
    case 'invalid':
      throw challenged(
        new CodedError('API_KEY_INVALID', { error: credential.reason }),
        'invalid_token',
      );
  }
}

function challenged(error: CodedError, problem?: 'invalid_token'): McpRefusal {
  const more = problem === undefined ? {} : { error: problem };
  const challenge = bearerChallenge(setting('BASE_URL'), more);
  return new McpRefusal(error, { headers: { 'www-authenticate': challenge } });
}
