import { oauthPaths } from '../oauth/oauth.ts';
import type { Tool } from '../tool.ts';

/** The section about MCP: how to connect, and the list of tools. */
export function mcpText(baseUrl: string, tools: readonly Tool[]): string {
  return `## MCP

The same functions as tools for agents: ${baseUrl}${oauthPaths.mcp} (Streamable HTTP, stateless). Connect with OAuth, or with an API key as \`Authorization: Bearer <API_KEY>\`. A call may have at most 4 MB; for more use \`create_upload_link\`.

${tools.map(toolLine).join('\n')}`;
}

function toolLine({ name, title, scope, operation }: Tool): string {
  const plan = operation.paid ? ', paid plans' : '';
  return `- \`${name}\` (\`${scope}\`${plan}): ${title.toLowerCase()}.`;
}
