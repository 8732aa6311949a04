/** A paragraph, or something to copy. */
export interface GuideBlock {
  kind: 'text' | 'code';
  text: string;
}

/** How to connect one client. */
export interface GuideSection {
  name: string;
  blocks: GuideBlock[];
}

/** The example's address in `docs/connect.md`, which pages replace by their own. */
const exampleAddress = 'https://app.example.com';

/**
 * The sections of `docs/connect.md` that connect a client or a build: those that name the endpoint, or
 * have a command with this address. It has headings of level 2, paragraphs and fenced code.
 */
export function parseGuide(markdown: string): GuideSection[] {
  const [, ...sections] = markdown.split(/^## /m);
  return sections
    .map((section) => {
      const [name = '', ...lines] = section.split('\n');
      return { name, blocks: blocksOf(lines.join('\n')) };
    })
    .filter(({ blocks }) => blocks.some(isToUse));
}

function isToUse({ kind, text }: GuideBlock): boolean {
  return text.includes(kind === 'code' ? exampleAddress : `${exampleAddress}/mcp`);
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

/** Keeps the texts of links; text in backticks is marked up by the page. */
function plainText(paragraph: string): string {
  return paragraph.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('**', '');
}
