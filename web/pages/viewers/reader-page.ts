import { proseStyle } from '../../styles/prose-style.ts';
import type { Page } from '../parts/page.ts';
import { fileStage, fileStageStyle, type ViewerInput, viewerFrame } from './viewer-frame.ts';

const style = `${proseStyle}${fileStageStyle}
.reader-view{flex:1;width:100%}
.prose section+section{margin-top:2.5rem;padding-top:1.5rem;border-top:1px solid var(--line)}
.prose section{content-visibility:auto;contain-intrinsic-size:auto 40rem}
.prose section>*+*{margin-top:1.1em}
.prose .number-of{color:var(--muted);font-size:.875rem}
.prose p,.prose li{white-space:pre-line;overflow-wrap:break-word}
.prose li>ul{margin-top:.35em}
.prose td>*+*{margin-top:.35em}
.prose td{vertical-align:top}
.prose .box{padding:.5rem .875rem;border:1px dashed var(--edge);border-radius:8px;color:var(--muted)}
@media print{.prose section{content-visibility:visible}}
`;

/** The words, lists, tables and pictures of a document, without its layout; read by workers. */
export function readerPage(input: ViewerInput): Page {
  const { assets, file } = input;
  const stage = fileStage('reader', input, {
    worker: assets['reader-worker'],
    // Programs write pages, archives of pages and plain text under these names.
    ...(/\.(?:doc|mht|mhtml)$/i.test(file.readAs ?? file.name) && {
      'page-worker': assets['page-worker'],
    }),
  });
  return viewerFrame(input, { stage, style, scripts: ['reader'] });
}
