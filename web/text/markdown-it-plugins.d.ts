/** The plugins have no types of their own. */
declare module 'markdown-it-emoji' {
  import type { MarkdownIt } from 'markdown-it';
  /** Short names of emoji, as `:ship:`. */
  export function full(md: MarkdownIt, options: { shortcuts: Record<string, string> }): void;
}

declare module 'markdown-it-footnote' {
  import type { MarkdownIt } from 'markdown-it';
  export default function footnotes(md: MarkdownIt): void;
}
