import { type Html, html } from './html.ts';
import type { Assets, PageScripts } from './page.ts';

/** Assets that draw diagrams. */
export type DiagramAssets = Pick<Assets, 'diagrams' | 'diagram-frame'>;

/** Styles of a page with diagrams. */
export const diagramStyle = `
.diagram{margin-inline:0}
.diagram img{display:block;margin-bottom:.5rem}
.diagram-frame{position:fixed;left:-100vw;top:0;width:60rem;height:10px;border:0;visibility:hidden}
`;

/** Whether rendered Markdown has a fence of Mermaid, which a script draws. */
export function hasDiagrams(markup: string): boolean {
  return markup.includes('<code class="language-mermaid">');
}

/** The attribute from which the script takes the address of its frame. */
export function diagramFrame(markup: string, assets: DiagramAssets): Html | false {
  return hasDiagrams(markup) && html` data-diagram-frame="${assets['diagram-frame']}"`;
}

/** What a page with this markup loads for its diagrams: nothing where it has none. */
export function diagramScripts(
  markup: string,
  { origin, assets }: { origin: string; assets: DiagramAssets },
): Pick<PageScripts, 'scripts' | 'allow'> {
  if (!hasDiagrams(markup)) return { scripts: [] };
  return {
    scripts: [assets.diagrams],
    allow: { 'frame-src': [origin + assets['diagram-frame']] },
  };
}
