/** An app whose scheme has no dot, and the addresses at which it takes answers. */
interface KnownApp {
  scheme: string;
  /** Of the whole URI without its query. Other addresses of these schemes do things: install an extension, open a chat. */
  callback: RegExp;
}

/**
 * Apps that answer to a scheme without a dot, although RFC 8252 §7.1 asks for a domain's name:
 * real clients that could not connect otherwise. `docs/interop.md` names the source of each.
 * Claude and ChatGPT are not among them: their callbacks are `https` or loopback.
 */
const knownApps: readonly KnownApp[] = [
  // Cursor sends this one together with two others, and gives up when one of the three is refused.
  {
    scheme: 'cursor',
    callback: /^cursor:\/\/anysphere\.cursor-(?:mcp|retrieval)\/oauth\/(?:[\w-]+\/)?callback$/,
  },
  // VS Code and its Insiders build: the handler of signed-in accounts.
  {
    scheme: 'vscode',
    callback: /^vscode:\/\/vscode\.github-authentication\/did-authenticate$/,
  },
  {
    scheme: 'vscode-insiders',
    callback: /^vscode-insiders:\/\/vscode\.github-authentication\/did-authenticate$/,
  },
  // Windsurf, where it does not listen on a loopback port.
  { scheme: 'windsurf', callback: /^windsurf:\/\/codeium\.windsurf\/callback$/ },
  // Zed, in the same case.
  { scheme: 'zed', callback: /^zed:\/\/oauth\/callback$/ },
  // MCPJam's desktop inspector: its metadata document lists both beside loopback ones.
  { scheme: 'mcpjam', callback: /^mcpjam:\/\/(?:oauth|authkit)\/callback$/ },
];

/** A domain's name in reverse, as RFC 8252 §7.1 asks for: `com.example.app`. */
const domainScheme = /^[a-z][a-z0-9-]*(?:\.[a-z0-9][a-z0-9-]*)+$/;

/** Schemes with a dot that the operating system handles, not an app that somebody chose to install. */
const systemSchemes = /^(?:ms-|microsoft\.|windows\.|x-apple\.|com\.(?:apple|microsoft|android)\.)/;

/**
 * Whether a URI belongs to an app of its own scheme and to nothing else. A scheme is allowed by its
 * form or by the list, never for being absent from a list of bad ones: what an operating system and
 * its programs handle (`ms-msdt`, `search-ms`, `itms-services`) grows with every release.
 */
export function isPrivateUseUri(uri: string): boolean {
  const [withoutQuery = ''] = uri.split('?');
  const [, scheme] = /^([^:/?#]+):\//.exec(withoutQuery) ?? [];
  if (scheme === undefined) return false;
  const known = knownApps.find((app) => app.scheme === scheme);
  if (known !== undefined) return known.callback.test(withoutQuery);
  // Schemes are told apart without case: `X-Apple.…` is `x-apple.…`.
  const lower = scheme.toLowerCase();
  return domainScheme.test(lower) && !systemSchemes.test(lower);
}
