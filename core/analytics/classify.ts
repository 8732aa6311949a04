import { isbot } from 'isbot';
import agents from './agents.json' with { type: 'json' };

/** What asks, as far as its user agent says so itself. */
export type AgentClass = 'person' | 'bot' | 'preview' | 'mail_scanner' | 'ai';

const anyOf = (patterns: readonly string[]) => new RegExp(patterns.join('|'), 'i');

/** In this order: what fetches for mail or a preview often calls itself a bot as well. */
const named: readonly (readonly [AgentClass, RegExp])[] = [
  ['mail_scanner', anyOf(agents.mailScanner)],
  ['ai', anyOf(agents.ai)],
  ['preview', anyOf(agents.preview)],
  ['bot', anyOf(agents.bot)],
];

/** The longest user agent that is looked at; browsers' are half of it. */
export const maxAgentLength = 512;

/**
 * Tells people's browsers from everything that says it is none. `agents.json` is made by
 * `npm run agents`. What does not name itself is a browser: nobody can tell it here.
 */
export function classify({ userAgent }: { userAgent: string }): AgentClass {
  const text = userAgent.slice(0, maxAgentLength).trim();
  if (text === '') return 'bot';
  const found = named.find(([, pattern]) => pattern.test(text));
  if (found !== undefined) return found[0];
  return isbot(text) ? 'bot' : 'person';
}
