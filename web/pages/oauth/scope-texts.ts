import type { OAuthScope } from '../../../contract/oauth/oauth.ts';
import { type Html, html } from '../parts/html.ts';

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

/** What no connected app and no key can do with any scope. */
const neverAllowed: readonly string[] = [
  'See or create API keys, or sign in as you.',
  'Change your account or your plan.',
];

/** What an app or a program can do with these scopes, and what it cannot; for pages with `consentStyle`. */
export function scopeLists(scopes: readonly OAuthScope[]): Html {
  const absent = Object.entries(scopeTexts).filter(
    ([scope]) => !scopes.some((one) => one === scope),
  );
  const denied = [...absent.map(([, texts]) => texts.absent), ...neverAllowed];
  return html`${list('It can', 'yes', scopes.map(granted))}
${list(
  'It cannot',
  'no',
  denied.map((text) => html`<p>${text}</p>`),
)}`;
}

function granted(scope: OAuthScope): Html {
  const { title, meaning } = scopeTexts[scope];
  return html`<p><strong>${title}</strong></p><p class="hint">${meaning}</p>`;
}

const signs = { yes: 'M4.5 12.5l5 5 10-11', no: 'M6 6l12 12M18 6 6 18' };

function list(title: string, sign: keyof typeof signs, entries: readonly Html[]): Html {
  const drawing = html`<svg class="${sign}" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="${signs[sign]}"/></svg>`;
  return html`<section class="grants"><h2>${title}</h2>
<ul>${entries.map((entry) => html`<li>${drawing}${entry}</li>`)}</ul></section>`;
}
