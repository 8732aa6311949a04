import type { OAuthScope } from '../../../contract/oauth/oauth.ts';

/** The texts for what a scope allows, and for its absence. */
interface ScopeText {
  title: string;
  /** The meaning of the scope and its limits. */
  meaning: string;
  /** Said among what the app cannot do, where it does not ask for the scope. */
  absent: string;
}

/** Every scope in words for people. */
export const scopeTexts: Record<OAuthScope, ScopeText> = {
  'projects:read': {
    title: 'See your projects',
    meaning:
      'Their names, addresses, settings and QR codes, and how often they were opened. Passwords stay hidden.',
    absent: 'See which projects you have, or who opened them.',
  },
  'projects:write': {
    title: 'Publish, change and delete projects',
    meaning:
      'Publish files for you, replace or remove them, change who can see a project, and create upload links. Your plan’s limits apply.',
    absent: 'Publish, change or delete anything.',
  },
  'account:read': {
    title: 'See your account',
    meaning: 'Your e-mail address, your plan, and how much of it is used.',
    absent: 'See your e-mail address or your plan.',
  },
};

/** Actions that no connected app can do with any scope. */
export const neverAllowed: readonly string[] = [
  'See or create API keys, or sign in as you.',
  'Change your account or your plan.',
];
