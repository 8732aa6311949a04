/** A link that adds the MCP server to a client. */
export interface InstallLink {
  client: string;
  href: string;
}

/** The name of the server in the settings of clients. */
const name = 'slipway';

/**
 * Links that add the server with one click, for clients that support them.
 * @param endpoint the address of `/mcp`
 */
export function installLinks(endpoint: string): InstallLink[] {
  const cursor = encodeURIComponent(btoa(JSON.stringify({ url: endpoint })));
  const code = encodeURIComponent(JSON.stringify({ name, type: 'http', url: endpoint }));
  return [
    // Its documentation, "Install links".
    {
      client: 'Cursor',
      href: `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${cursor}`,
    },
    // Its documentation, "URL handler for MCP servers".
    { client: 'VS Code', href: `vscode:mcp/install?${code}` },
    { client: 'VS Code Insiders', href: `vscode-insiders:mcp/install?${code}` },
  ];
}
