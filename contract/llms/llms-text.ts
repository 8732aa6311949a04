import { errorCatalogue, errorCodes } from '../errors.ts';
import type { GuideOptions } from './documentation-text.ts';
import { oauthPaths } from '../oauth/oauth-paths.ts';
import { type Guide, guides, referencePages } from './guides.ts';
import { plansText, temporaryText } from './limits-text.ts';
import { operationText } from './operation-text.ts';
import type { Operation } from '../operation.ts';
import { rules, waysToStart } from './rules-text.ts';
import { tools } from '../tools.ts';
import type { Tool } from '../tool.ts';

/** `llms.txt`: a short index of the documentation (llmstxt.org), and how to start. */
export function llmsIndex({ brand, baseUrl }: GuideOptions): string {
  const links = (pages: readonly Guide[]) =>
    pages
      .map(({ slug, title, summary }) => `- [${title}](${baseUrl}/docs/${slug}.md): ${summary}`)
      .join('\n');
  const sections = [
    `# ${brand}`,
    `> Send a file, several files with their folders, or one ZIP, and get a link. Base URL: ${baseUrl}. All of this documentation as one text: ${baseUrl}/llms-full.txt`,
    waysToStart,
    rules,
    `## Documentation\n\nMarkdown; without \`.md\` at the end, each page is HTML.\n\n${links(guides)}`,
    `## Operations\n\n${links(referencePages)}`,
    `## For programs\n\n- [OpenAPI 3.1](${baseUrl}/openapi.json): every operation, field, error and example.\n- [MCP](${baseUrl}${oauthPaths.mcp}): the same functions as tools (Streamable HTTP).`,
  ];
  return `${sections.join('\n\n')}\n`;
}

/** `llms-full.txt`: everything that a program needs to publish, claim and manage projects, in one text. */
export function llmsText(options: GuideOptions, operations: readonly Operation[]): string {
  const { brand, baseUrl, plans, temporary } = options;
  const sections = [
    `# ${brand}`,
    `> Send a file, several files with their folders, or one ZIP, and get a link. Base URL: ${baseUrl}. OpenAPI document: ${baseUrl}/openapi.json`,
    waysToStart,
    rules,
    mcpText(baseUrl, tools),
    `## Limits without an account\n\n${temporaryText(temporary)}`,
    `## Plans\n\nOnly active projects count; -1 means unlimited. An account on \`free\` has the \`pro\` plan during its trial.\n\n${plansText(plans)}`,
    '## Operations',
    ...operations.map((operation) => operationText(baseUrl, operation)),
    `## Errors\n\nWhat to do next for each \`code\`. If the \`nextStep\` of an answer differs, follow that one.\n\n${errorList()}`,
  ];
  return `${sections.join('\n\n')}\n`;
}

function errorList(): string {
  return errorCodes
    .map((code) => `- ${code} (${errorCatalogue[code].status}): ${errorCatalogue[code].nextStep}`)
    .join('\n');
}

/** The section about MCP: how to connect, and the list of tools. */
function mcpText(baseUrl: string, tools: readonly Tool[]): string {
  return `## MCP

The same functions as tools for agents: ${baseUrl}${oauthPaths.mcp} (Streamable HTTP, stateless). Connect with OAuth, or with an API key as \`Authorization: Bearer <API_KEY>\`. A call may have at most 4 MB; for more use \`create_upload_link\`.

${tools.map(toolLine).join('\n')}`;
}

function toolLine({ name, title, scope, operation }: Tool): string {
  const plan = operation.paid ? ', paid plans' : '';
  return `- \`${name}\` (\`${scope}\`${plan}): ${title.toLowerCase()}.`;
}
