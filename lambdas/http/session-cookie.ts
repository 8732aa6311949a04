import { knownBrowserSeconds } from '../../core/accounts/sessions/known-browser.ts';
import { sessionSeconds } from '../../core/accounts/sessions/session.ts';
import type { NewWebSession } from '../../core/accounts/sessions/web-session.ts';
import { hostCookie } from './host-cookie.ts';
import { codeLifeSeconds } from '../../core/accounts/sign-in/sign-in-code.ts';

const pageCookie = hostCookie('__Host-slipway-session', 'Strict', sessionSeconds);

/**
 * The same token for navigations from other sites, for example from an app that requests access: a
 * browser does not send a Strict cookie with them. Only the pages of `/claim`, `/device` and `/oauth` read it; they
 * accept forms only from their own host.
 */
export const signInCookie = hostCookie('__Host-slipway-sign-in', 'Lax', sessionSeconds);

/**
 * Identifies a browser from its earlier sign-ins; it gives no access. Lax, so that it also works on
 * a page that an app has opened.
 */
export const browserCookie = hostCookie('__Host-slipway-browser', 'Lax', knownBrowserSeconds);

/** The session's token in a Cookie header. */
export const sessionToken = pageCookie.read;

/**
 * Set-Cookie headers for a session until its end, and for recognising the browser later. Wherever somebody
 * signs in, an app that requests access finds them signed in (docs/decisions/0028).
 */
export function sessionCookies({ token, browserToken }: NewWebSession): string[] {
  const known = browserToken === undefined ? [] : [browserCookie.keep(browserToken)];
  return [pageCookie.keep(token), ...known, signInCookie.keep(token)];
}

/** Set-Cookie headers that make a browser forget its session. */
export const endedSessionCookies = [pageCookie.forget, signInCookie.forget];

/**
 * The attempt token of the latest code that this browser requested. It identifies the browser after
 * a change of network. Strict, because the forms are on our own host.
 */
export const attemptCookie = hostCookie('__Host-slipway-attempt', 'Strict', codeLifeSeconds);
