import { oauthPaths } from '../oauth/oauth.ts';
import type { Tool } from '../tool.ts';

/** How an agent that speaks MCP connects, and what it finds there. */
export function mcpText(baseUrl: string, tools: readonly Tool[]): string {
  return `## MCP

The same as tools for agents: ${baseUrl}${oauthPaths.mcp} (Streamable HTTP, stateless). Connect with OAuth, or with an API key as \`Authorization: Bearer <API_KEY>\`. A call may carry 4 MB; for more \`create_upload_link\`.

${tools.map(toolLine).join('\n')}`;
}

function toolLine({ name, title, scope, operation }: Tool): string {
  const plan = operation.paid ? ', paid plans' : '';
  return `- \`${name}\` (\`${scope}\`${plan}): ${title.toLowerCase()}.`;
}
