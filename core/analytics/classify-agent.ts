import { isbot } from 'isbot';
import agents from './agents.json' with { type: 'json' };

/** The kind of client, according to its user agent. */
export type AgentClass = 'person' | 'bot' | 'preview' | 'mail_scanner' | 'ai';

const anyOf = (patterns: readonly string[]) => new RegExp(patterns.join('|'), 'i');

/** The order matters: a mail scanner or a link preview often calls itself a bot too. */
const agentPatterns: readonly (readonly [AgentClass, RegExp])[] = [
  ['mail_scanner', anyOf(agents.mailScanner)],
  ['ai', anyOf(agents.ai)],
  ['preview', anyOf(agents.preview)],
  ['bot', anyOf(agents.bot)],
];

/** Longer user agents are cut; those of browsers are half as long. */
export const maxAgentLength = 512;

/**
 * Tells people's browsers from programs that identify themselves. `npm run agents` generates
 * `agents.json`. A program that imitates a browser counts as a browser.
 */
export function classifyAgent({ userAgent }: { userAgent: string }): AgentClass {
  const text = userAgent.slice(0, maxAgentLength).trim();
  if (text === '') return 'bot';
  const found = agentPatterns.find(([, pattern]) => pattern.test(text));
  if (found !== undefined) return found[0];
  return isbot(text) ? 'bot' : 'person';
}
