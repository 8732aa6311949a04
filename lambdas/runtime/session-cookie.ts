import { sessionSeconds } from '../../core/accounts/session.ts';

/** `__Host-`: a browser takes it only over HTTPS, without a Domain, so that no other host can set it (RFC 6265bis §4.1.3.2). */
const name = '__Host-slipway-session';
const attributes = 'HttpOnly; Secure; SameSite=Strict; Path=/';

/** The session's token in a Cookie header. */
export function sessionToken(cookies: string | undefined): string | undefined {
  return (cookies ?? '')
    .split(';')
    .map((cookie) => cookie.trim())
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.slice(name.length + 1);
}

/** A Set-Cookie header that keeps a session for as long as it lasts when it is not used. */
export function sessionCookie(token: string): string {
  return `${name}=${token}; ${attributes}; Max-Age=${sessionSeconds}`;
}

/** A Set-Cookie header that makes a browser forget its session. */
export const endedSessionCookie = `${name}=; ${attributes}; Max-Age=0`;
