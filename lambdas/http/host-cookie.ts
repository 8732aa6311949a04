/** A cookie that holds a token of ours. */
interface HostCookie {
  /** The token in a Cookie header. */
  read: (cookies: string | undefined) => string | undefined;
  /** A Set-Cookie header that keeps a token for its whole life. */
  keep: (token: string) => string;
  /** A Set-Cookie header that makes a browser forget its token. */
  forget: string;
}

/** `__Host-`: a browser takes it only over HTTPS, without a Domain, so that no other host can set it (RFC 6265bis §4.1.3.2). */
export function hostCookie(
  name: `__Host-${string}`,
  sameSite: 'Strict' | 'Lax',
  maxAgeSeconds: number,
): HostCookie {
  const attributes = `HttpOnly; Secure; SameSite=${sameSite}; Path=/`;
  return {
    read: (cookies = '') =>
      cookies
        .split(';')
        // `trim` takes other spaces away as well, and a cookie after one of those may be anybody's.
        .map((cookie) => cookie.replace(/^[ \t]+/, ''))
        .find((cookie) => cookie.startsWith(`${name}=`))
        ?.slice(name.length + 1),
    keep: (token) => `${name}=${token}; ${attributes}; Max-Age=${maxAgeSeconds}`,
    forget: `${name}=; ${attributes}; Max-Age=0`,
  };
}
