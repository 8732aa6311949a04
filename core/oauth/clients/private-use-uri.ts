/** An app whose scheme has no dot, and its callback addresses. */
interface KnownApp {
  scheme: string;
  /** Matches the whole URI without its query. Other addresses of these schemes trigger actions: install an extension, open a chat. */
  callback: RegExp;
}

/**
 * Apps that use a scheme without a dot, although RFC 8252 §7.1 requires a reversed domain name:
 * real clients that could not connect otherwise. `docs/interop.md` has the source of each.
 * Claude and ChatGPT are not among them: their callbacks are `https` or loopback.
 */
const knownApps: readonly KnownApp[] = [
  // Cursor registers this URI together with two others, and gives up if one of the three is refused.
  {
    scheme: 'cursor',
    callback: /^cursor:\/\/anysphere\.cursor-(?:mcp|retrieval)\/oauth\/(?:[\w-]+\/)?callback$/,
  },
  // VS Code and its Insiders build: the handler for sign-ins.
  {
    scheme: 'vscode',
    callback: /^vscode:\/\/vscode\.github-authentication\/did-authenticate$/,
  },
  {
    scheme: 'vscode-insiders',
    callback: /^vscode-insiders:\/\/vscode\.github-authentication\/did-authenticate$/,
  },
  // Windsurf, if it does not listen on a loopback port.
  { scheme: 'windsurf', callback: /^windsurf:\/\/codeium\.windsurf\/callback$/ },
  // Zed, if it does not listen on a loopback port.
  { scheme: 'zed', callback: /^zed:\/\/oauth\/callback$/ },
  // MCPJam's desktop inspector: its metadata document lists both beside loopback ones.
  { scheme: 'mcpjam', callback: /^mcpjam:\/\/(?:oauth|authkit)\/callback$/ },
];

/** A reversed domain name, as RFC 8252 §7.1 requires: `com.example.app`. */
const domainScheme = /^[a-z][a-z0-9-]*(?:\.[a-z0-9][a-z0-9-]*)+$/;

/** Schemes with a dot that the operating system handles, not an installed app. */
const systemSchemes = /^(?:ms-|microsoft\.|windows\.|x-apple\.|com\.(?:apple|microsoft|android)\.)/;

/**
 * Whether a URI has the private-use scheme of an app. A scheme is allowed by its
 * form or by the list above. A list of forbidden schemes would not be enough: those that an operating system and
 * its programs handle (`ms-msdt`, `search-ms`, `itms-services`) increase with every release.
 */
export function isPrivateUseUri(uri: string): boolean {
  const [withoutQuery = ''] = uri.split('?');
  const [, scheme] = /^([^:/?#]+):\//.exec(withoutQuery) ?? [];
  if (scheme === undefined) return false;
  const known = knownApps.find((app) => app.scheme === scheme);
  if (known !== undefined) return known.callback.test(withoutQuery);
  // Schemes are case-insensitive: `X-Apple.…` is `x-apple.…`.
  const lower = scheme.toLowerCase();
  return domainScheme.test(lower) && !systemSchemes.test(lower);
}
