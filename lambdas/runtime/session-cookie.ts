import { sessionSeconds } from '../../core/accounts/session.ts';

/** A cookie that holds a session's token. */
interface SessionCookie {
  /** The token in a Cookie header. */
  read: (cookies: string | undefined) => string | undefined;
  /** A Set-Cookie header that keeps a session for as long as it lasts when it is not used. */
  keep: (token: string) => string;
  /** A Set-Cookie header that makes a browser forget its session. */
  forget: string;
}

/** `__Host-`: a browser takes it only over HTTPS, without a Domain, so that no other host can set it (RFC 6265bis §4.1.3.2). */
const pageCookie = hostCookie('__Host-slipway-session', 'Strict');

/**
 * The same token where other sites lead to: a browser does not send a Strict cookie with a
 * navigation from another site, such as that of an app that asks for access. Read by the pages
 * below `/oauth` alone, which take forms of their own host only.
 */
export const signInCookie = hostCookie('__Host-slipway-sign-in', 'Lax');

/** The session's token in a Cookie header. */
export const sessionToken = pageCookie.read;

/** A Set-Cookie header that keeps a session for as long as it lasts when it is not used. */
export const sessionCookie = pageCookie.keep;

/** A Set-Cookie header that makes a browser forget its session. */
export const endedSessionCookie = pageCookie.forget;

function hostCookie(name: string, sameSite: 'Strict' | 'Lax'): SessionCookie {
  const attributes = `HttpOnly; Secure; SameSite=${sameSite}; Path=/`;
  return {
    read: (cookies = '') =>
      cookies
        .split(';')
        .map((cookie) => cookie.trim())
        .find((cookie) => cookie.startsWith(`${name}=`))
        ?.slice(name.length + 1),
    keep: (token) => `${name}=${token}; ${attributes}; Max-Age=${sessionSeconds}`,
    forget: `${name}=; ${attributes}; Max-Age=0`,
  };
}
