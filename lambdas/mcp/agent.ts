import type { OAuthScope } from '../../contract/oauth/oauth.ts';
import type { Tool } from '../../contract/tool.ts';
import type { AccountCaller } from '../../core/caller.ts';
import { CodedError } from '../../core/errors.ts';

/** Who calls tools, and what they may do. */
export interface Agent {
  caller: AccountCaller;
  scopes: readonly OAuthScope[];
}

/**
 * Refuses a tool that the agent was not allowed.
 * @throws CodedError FORBIDDEN
 */
export function requireScope({ name, scope }: Pick<Tool, 'name' | 'scope'>, agent: Agent): void {
  if (agent.scopes.includes(scope)) return;
  throw new CodedError('FORBIDDEN', {
    error: `${name} needs the scope \`${scope}\`; this connection has ${agent.scopes.map((one) => `\`${one}\``).join(', ') || 'none'}.`,
    nextStep: `Ask the user to connect again and to allow \`${scope}\`.`,
  });
}
