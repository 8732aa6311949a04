import type * as z from 'zod';
import type { Published } from '../../../contract/tools/published.ts';
import type { ToolAnswer } from '../bind-tool.ts';

/**
 * What an agent is told of what it published: the URL first, for whoever reads on, then one line
 * of facts. Nothing of it is text that somebody else wrote.
 */
export function publishedAnswer(output: z.input<typeof Published>): ToolAnswer<typeof Published> {
  const { url } = output;
  return {
    output,
    text: `${url}\n${factsOf(output)}`,
    more: [{ type: 'resource_link', uri: url, name: 'Published site' }],
  };
}

function factsOf(output: z.input<typeof Published>): string {
  const { projectId, version, files, bytes, sha256, expiresAt, warnings } = output;
  const parts = [
    `Version ${version} of project ${projectId} is live`,
    count(files, 'file'),
    count(bytes, 'byte'),
    `received sha256 ${sha256}`,
    expiresAt === null ? 'no end' : `ends ${expiresAt}`,
    warnings.length === 0 ? 'no warnings' : `${count(warnings.length, 'warning')} in \`warnings\``,
  ];
  return `${parts.join(', ')}.`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
