import { codeMarkup } from '../../text/code-markup.ts';
import { decodeText } from '../../text/decode-text.ts';
import { languageOf } from '../../text/highlight.ts';
import { markdownMarkup } from '../../text/markdown.ts';
import type { Page } from '../page.ts';
import { codePage } from './code-page.ts';
import { markdownPage } from './markdown-page.ts';
import type { Viewed } from './viewer-page.ts';

/** What was read of a file of text. */
export interface TextFile {
  bytes: Uint8Array;
  /** False where it goes on. */
  isWhole: boolean;
  extension: string;
}

/** The page of a file of text: Markdown set, everything else as code. Loaded only when it is needed, because it brings every language along. */
export function renderText(viewed: Viewed, { bytes, isWhole, extension }: TextFile): Page {
  const text = decodeText(bytes);
  const set = viewed.file.type === 'markdown' && isWhole ? markdownMarkup(text) : undefined;
  if (set !== undefined) return markdownPage(viewed, set);
  const code = codeMarkup(text, languageOf(extension || viewed.file.name.toLowerCase()));
  return codePage(viewed, { ...code, isCut: code.isCut || !isWhole });
}
