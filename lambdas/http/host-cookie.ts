interface HostCookie {
  read: (cookies: string | undefined) => string | undefined;
  /** A Set-Cookie header that stores a token for its whole lifetime. */
  keep: (token: string) => string;
  /** A Set-Cookie header that deletes the cookie. */
  forget: string;
}

/**
 * `__Host-`: a browser accepts it only over HTTPS and without a Domain, so that no other host can
 * set it (RFC 6265bis §4.1.3.2).
 */
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
        // `trim` also removes other whitespace, which would accept a cookie that another host set.
        .map((cookie) => cookie.replace(/^[ \t]+/, ''))
        .find((cookie) => cookie.startsWith(`${name}=`))
        ?.slice(name.length + 1),
    keep: (token) => `${name}=${token}; ${attributes}; Max-Age=${maxAgeSeconds}`,
    forget: `${name}=; ${attributes}; Max-Age=0`,
  };
}
