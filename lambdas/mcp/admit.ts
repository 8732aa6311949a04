import { bearerChallenge, type OAuthScope } from '../../contract/oauth/oauth.ts';
import { noteKeyUse } from '../../core/accounts/keys/authenticate.ts';
import { publishedByKey } from '../../core/accounts/keys/live-credential.ts';
import { CodedError } from '../../core/errors.ts';
import { countRequest } from '../../core/limits/counters.ts';
import { authenticateAgent } from '../../core/oauth/tokens/authenticate-agent.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { setting } from '../shared/settings.ts';
import { McpRefusal } from './mcp-refusal.ts';
import { admissionServices } from './services.ts';
import type { Tool } from '../../contract/tool.ts';
import type { CredentialCaller } from '../../core/caller.ts';

/** Maximum size of a request: as base64 it must fit into a Lambda event of 6 MB. */
const maxBodyBytes = 4 * 1024 * 1024;

/** Web apps that run an MCP client in the browser. */
const knownOrigins = new Set([
  'https://claude.ai',
  'https://claude.com',
  'https://chatgpt.com',
  'https://cursor.com',
  'https://vscode.dev',
]);

/** Programs on the caller's own computer, on any port. */
const loopback = /^https?:\/\/(?:localhost|127\.0\.0\.1)(?::\d{1,5})?$/;

/**
 * Checks origin, size, credential and rate limit, and returns the caller. The result of the gateway's
 * authorizer is not used, so that bypassing the authorizer gives no access.
 * @throws CodedError, McpRefusal 403, 413, 401, 429
 */
export async function admit(request: ApiRequest): Promise<Agent> {
  requireKnownOrigin(request.headers['origin']);
  requireSize(request.body);
  const agent = await identify(request);
  await countRequest(admissionServices(), agent.caller);
  return agent;
}

/**
 * Stops a web page from using the visitor's browser to call a server that only the visitor can
 * reach (DNS rebinding).
 */
function requireKnownOrigin(origin: string | undefined): void {
  if (origin === undefined || knownOrigins.has(origin) || loopback.test(origin)) return;
  if (origin === new URL(setting('BASE_URL')).origin) return;
  throw new CodedError('ORIGIN_REFUSED', { error: 'Web pages of this origin may not call tools.' });
}

function requireSize({ length }: Buffer): void {
  if (length <= maxBodyBytes) return;
  throw new CodedError('PAYLOAD_TOO_LARGE', {
    error: `The request has ${length} bytes. The maximum is ${maxBodyBytes}.`,
  });
}

async function identify(request: ApiRequest): Promise<Agent> {
  const { headers } = request;
  const remainingMs = () => request.remainingMs();
  const authenticateAgain = () => validCredential(headers['authorization']);
  const credential = await authenticateAgain().catch((error: unknown) => {
    throw challenged(error);
  });
  const { account } = credential.who;
  const caller = { ...request.caller, account, authenticateAgain };
  if (credential.kind === 'key') {
    const { who } = credential;
    await noteKeyUse(admissionServices(), who);
    const { key, keyHash } = who;
    const proof = { kind: 'key', keyHash } as const;
    const publishedBy = publishedByKey(key);
    const projectIds = key.projectIds ?? undefined;
    const keyCaller = { ...caller, credential: proof, publishedBy, projectIds };
    return { caller: keyCaller, scopes: key.permissions, remainingMs };
  }
  const { scopes, grantId, clientName: name } = credential.who;
  const proof = { kind: 'app', grantId } as const;
  const publishedBy = { kind: 'app', id: grantId, name } as const;
  return { caller: { ...caller, credential: proof, publishedBy }, scopes, remainingMs };
}

/** @throws CodedError API_KEY_MISSING, API_KEY_INVALID, ACCOUNT_SUSPENDED */
async function validCredential(authorization: string | undefined) {
  const credential = await authenticateAgent(admissionServices(), authorization);
  switch (credential.kind) {
    case 'suspended':
      throw credential.refusal;
    case 'none':
      throw new CodedError('API_KEY_MISSING', { error: 'No credential was sent.' });
    case 'invalid':
      throw new CodedError('API_KEY_INVALID', { error: credential.reason });
    case 'key':
    case 'token':
      return credential;
  }
}

/** A refusal for want of a valid credential, which tells the client where to get one (RFC 6750 §3). */
function challenged(error: unknown): unknown {
  if (!(error instanceof CodedError) || error.code === 'ACCOUNT_SUSPENDED') return error;
  const more = error.code === 'API_KEY_MISSING' ? {} : { error: 'invalid_token' as const };
  const challenge = bearerChallenge(setting('BASE_URL'), more);
  return new McpRefusal(error, { headers: { 'www-authenticate': challenge } });
}

/** Whether a caller sent an API key, which cannot be given more permissions. */
export function isKey({ caller }: Agent): boolean {
  return caller.credential.kind === 'key';
}

/** A caller of tools, and what it may do. */
export interface Agent {
  caller: CredentialCaller;
  scopes: readonly OAuthScope[];
  /** The time left for the call, in milliseconds. */
  remainingMs(): number;
}

/**
 * Refuses a tool if the agent lacks its scope.
 * @throws CodedError FORBIDDEN
 */
export function requireScope(
  { name, scope }: Pick<Tool, 'scope'> & { name: string },
  agent: Agent,
): void {
  if (agent.scopes.includes(scope)) return;
  const had = agent.scopes.map((one) => `\`${one}\``).join(', ') || 'none';
  throw new CodedError(
    'FORBIDDEN',
    isKey(agent)
      ? {
          error: `${name} needs the permission \`${scope}\`; this API key has ${had}.`,
          nextStep: `Ask the user for an API key with \`${scope}\`. They create keys in the browser.`,
        }
      : {
          error: `${name} needs the scope \`${scope}\`; this connection has ${had}.`,
          nextStep: `Ask the user to connect again and to allow \`${scope}\`.`,
        },
  );
}
