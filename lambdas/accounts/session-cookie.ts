import { knownBrowserSeconds } from '../../core/accounts/sessions/known-browser.ts';
import { sessionSeconds } from '../../core/accounts/sessions/session.ts';
import type { OpenedSession } from '../../core/accounts/sessions/web-session.ts';
import { hostCookie } from '../http/host-cookie.ts';

const pageCookie = hostCookie('__Host-slipway-session', 'Strict', sessionSeconds);

/**
 * The same token where other sites lead to: a browser does not send a Strict cookie with a
 * navigation from another site, such as that of an app that asks for access. Read by the pages
 * below `/oauth` alone, which take forms of their own host only.
 */
export const signInCookie = hostCookie('__Host-slipway-sign-in', 'Lax', sessionSeconds);

/**
 * By which a browser is known from its earlier sign-ins; it lets nobody in. Lax, so that a browser
 * is known as well where it signs in on a page that an app led to.
 */
export const browserCookie = hostCookie('__Host-slipway-browser', 'Lax', knownBrowserSeconds);

/** The session's token in a Cookie header. */
export const sessionToken = pageCookie.read;

/** Set-Cookie headers that keep a session until its end, and by which the browser is known later. */
export function sessionCookies({ token, browserToken }: OpenedSession): string[] {
  const known = browserToken === undefined ? [] : [browserCookie.keep(browserToken)];
  return [pageCookie.keep(token), ...known];
}

/** A Set-Cookie header that makes a browser forget its session. */
export const endedSessionCookie = pageCookie.forget;
