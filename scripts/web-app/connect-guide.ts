import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const guide = fileURLToPath(new URL('../../docs/connect.md', import.meta.url));

/** A paragraph, or something to copy. */
export interface GuideBlock {
  kind: 'text' | 'code';
  text: string;
}

/** How one client is connected. */
export interface GuideSection {
  name: string;
  blocks: GuideBlock[];
}

/** The example's address in the guide, which the app replaces by its own. */
const exampleAddress = 'https://app.example.com';

/** The sections of `docs/connect.md` that connect a client: those that name the endpoint. */
export async function connectGuide(): Promise<GuideSection[]> {
  return parseGuide(await readFile(guide, 'utf8'));
}

/** Sections of a Markdown text with headings of level 2, paragraphs and fenced code. */
export function parseGuide(markdown: string): GuideSection[] {
  const [, ...sections] = markdown.split(/^## /m);
  return sections
    .map((section) => {
      const [name = '', ...lines] = section.split('\n');
      return { name, blocks: blocksOf(lines.join('\n')) };
    })
    .filter(({ blocks }) => blocks.some(({ text }) => text.includes(`${exampleAddress}/mcp`)));
}

function blocksOf(text: string): GuideBlock[] {
  const parts = text.split(/^```\w*\n([\s\S]*?)^```$/m);
  return parts.flatMap((part, index): GuideBlock[] => {
    if (index % 2 === 1) return [{ kind: 'code', text: part.trimEnd() }];
    const paragraphs = part.split(/\n\s*\n/).map((one) => plainText(one.trim()));
    return paragraphs
      .filter((one) => one !== '' && !/^[|#]/.test(one))
      .map((one) => ({ kind: 'text', text: one }));
  });
}

/** Keeps the texts of links; text in backticks is marked up by the app. */
function plainText(paragraph: string): string {
  return paragraph.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('**', '');
}
