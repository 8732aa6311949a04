import type { OAuthScope } from '../../../contract/oauth/oauth.ts';

/** What a scope lets an app do, and how its absence is told. */
interface ScopeText {
  title: string;
  /** What that means, and where it ends. */
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
      'Put files online in your name, replace or remove them, change who can see a project, and make upload links. Your plan’s limits hold.',
    absent: 'Publish, change or delete anything.',
  },
  'account:read': {
    title: 'See your account',
    meaning: 'Your e-mail address, your plan, and how much of it is used.',
    absent: 'See your e-mail address or your plan.',
  },
};

/** What no connected app can do, whatever it asks for. */
export const neverAllowed: readonly string[] = [
  'See or make API keys, or sign in as you.',
  'Change your account or your plan.',
];
