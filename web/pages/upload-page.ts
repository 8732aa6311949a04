import { logo, slipwayDrawing } from './parts/drawings.ts';
import { html, type Html, isolatedName } from './parts/html.ts';
import { formatBytes, formatCount, formatInstant } from './parts/format.ts';
import { type Page, renderPage } from './parts/page.ts';
import {
  choosingPanel,
  keysPanel,
  lockedPanel,
  leftOutLine,
  pickPanel,
  sendingPanel,
  sourcePanel,
} from './zone-panels.ts';
import { cardFrame, projectLink } from './parts/card-frame.ts';

/** The input of {@link uploadPage}. */
export interface UploadPage {
  brand: string;
  token: string;
  /** The purpose of the link; null if its creator gave none. */
  title: string | null;
  /** Whether it replaces the live version of a project. */
  replaces: boolean;
  /** ISO 8601. */
  expiresAt: string;
  limits: UploadPageLimits;
  /** The e-mail address of the account that gets the files. */
  asker: string;
  /** What its owner asks for, if it is a file request. */
  request?: RequestedFiles | undefined;
  /** Where large files are sent, besides the page's own host. */
  storageOrigin: string;
  /** Why an upload without JavaScript was refused, and what to do. */
  problem?: { error: string; nextStep: string; hasKeys?: boolean } | undefined;
}

/** A file request, as those who send files see it. */
export interface RequestedFiles {
  message?: string | undefined;
  accept?: readonly string[] | undefined;
  askName?: boolean | undefined;
  askEmail?: boolean | undefined;
  /** Whether senders who give an address get a receipt there. */
  receipts?: boolean | undefined;
}

/** How much one upload may hold. */
export interface UploadPageLimits {
  /** The most bytes of one request. What is larger goes straight into storage. */
  maxInline: number;
  /** Parts that one request takes. */
  maxParts: number;
  /** Files that can be sent one by one straight into storage. */
  maxUrls: number;
  maxEntries: number;
  maxBytes: number;
}

/** The page of an upload link: somebody without an account publishes by it, once. */
export function uploadPage(upload: UploadPage): Page {
  const { brand, title, token, limits, problem } = upload;
  const heading =
    title === null ? html`Upload files` : html`Upload files for ${isolatedName(title)}`;
  const body = html`<header class="top"><p class="name display">${logo()}<span>${brand}</span></p></header>
<main class="sheet">
<form id="launch" class="zone claim" action="/upload/${token}" method="post" enctype="multipart/form-data" aria-label="${upload.request === undefined ? 'Publish files' : 'Send files'}" data-verb="PUT" data-to="/v1/upload-links/${token}" data-max-inline="${limits.maxInline}" data-max-parts="${limits.maxParts}" data-max-urls="${limits.maxUrls}" data-max-entries="${limits.maxEntries}" data-max-bytes="${limits.maxBytes}">
<div>
<div class="panel"><h1>${heading}</h1></div>
${pickPanel(hints(upload), pickOptions(upload))}
${sendingPanel}
${choosingPanel}
${keysPanel}
${lockedPanel}
${sourcePanel}
${upload.request === undefined ? livePanel(upload) : receiptPanel}
<div class="said" id="said" role="alert">${problem !== undefined && html`<div><strong>${problem.error}</strong>${problem.nextStep}</div>`}</div>
<p class="unseen" id="spoken" role="status"></p>
</div>
${slipwayDrawing('ready')}
</form>
</main>`;
  return renderPage({
    brand,
    title: title === null ? 'Upload files' : `Upload files for ${title}`,
    body,
    appScript: true,
    connect: upload.storageOrigin,
    noIndex: true,
    forms: true,
  });
}

function pickOptions(upload: UploadPage): Parameters<typeof pickPanel>[1] {
  const { request } = upload;
  if (request === undefined) return { intro: intro(upload) };
  return {
    intro: requestIntro(upload.asker, request),
    action: 'Send',
    accept: request.accept?.join(','),
  };
}

/** Who asks, for what, and the fields about the sender. Nothing of what others sent. */
function requestIntro(asker: string, request: RequestedFiles): Html {
  const { message, askName, askEmail, receipts } = request;
  const lines = message?.split(/\r?\n/) ?? [];
  return html`<p>${isolatedName(asker)} asks you for files. Only this account gets them, and those whom it shows them to.</p>
${lines.length > 0 && html`<blockquote class="muted">${lines.map((line) => html`<bdi>${line}</bdi><br>`)}</blockquote>`}
<div class="field"><label for="sender-name">Your name${askName !== true && html` (optional)`}</label><input id="sender-name" name="senderName" maxlength="100" autocomplete="name"${askName === true && html` required`}></div>
<div class="field"><label for="sender-email">Your e-mail address${askEmail !== true && html` (optional)`}</label><input id="sender-email" name="senderEmail" type="email" maxlength="254" autocomplete="email"${askEmail === true && html` required`}>${receipts === true && html`<p class="hint">You get a short receipt there.</p>`}</div>`;
}

/** What arrived, to print or keep. The script fills it in. */
const receiptPanel = html`<div class="panel" id="live" hidden>
<h2 id="live-title" tabindex="-1">Your files arrived</h2>
<p id="receipt"></p>
<ul id="receipt-files"></ul>
${leftOutLine(html``)}
<div class="choices"><button class="button quiet" id="print" type="button">Print</button></div>
<p class="muted">Keep this receipt: it is shown only here.</p>
</div>`;

function intro({ brand, replaces, asker }: UploadPage): Html {
  const what = replaces
    ? 'It replaces what is online now.'
    : 'It gets its own address, and anyone who has the address can open it.';
  return html`<p>${isolatedName(asker)} asks you for files. ${brand} publishes what you choose at once, in that account. ${what}</p>`;
}

function hints({ expiresAt, limits, problem, request }: UploadPage): Html {
  const keys =
    problem?.hasKeys === true &&
    html`<p class="hint without-script"><label><input type="checkbox" name="allowSecrets" value="true"> Publish files that seem to contain keys: everybody may read them</label></p>`;
  if (request !== undefined) {
    return html`<p class="hint">${request.accept !== undefined && html`Files that end in ${request.accept.join(', ')}. `}Open until ${timeOf(expiresAt)}: what you begin to send before then still arrives.<span class="with-script" hidden> ${sizeWords(limits.maxBytes)}</span><span class="without-script"> Up to ${formatBytes(limits.maxInline)} without JavaScript.</span> Hidden files are not sent.</p>${keys}`;
  }
  return html`<p class="hint">This link works once, until ${timeOf(expiresAt)}.<span class="with-script" hidden> ${sizeWords(limits.maxBytes)}</span><span class="without-script"> Up to ${formatBytes(limits.maxInline)} without JavaScript.</span> A single HTML file becomes the start page.</p>
<div class="field without-script"><label for="start">Start page</label><input id="start" name="zipIndexHtmlPath" maxlength="1024" spellcheck="false" autocapitalize="none" aria-describedby="start-hint"><p class="hint" id="start-hint">Only for a ZIP with several HTML files: the page that visitors see first, such as <code>index.html</code>.</p></div>${keys}
<p class="hint"><label><input type="checkbox" name="includeHidden" value="true"> Publish hidden files such as <code>.env</code> too</label></p>`;
}

function timeOf(at: string): Html {
  return html`<time datetime="${at}">${formatInstant(at)}</time>`;
}

function sizeWords(bytes: number): string {
  return Number.isFinite(bytes) ? `Up to ${formatBytes(bytes)}.` : 'Of any size.';
}

function livePanel({ replaces }: UploadPage): Html {
  return html`<div class="panel" id="live" hidden>
<h2 id="live-title" tabindex="-1">It is published</h2>
<p class="address"><a id="link" href="/" target="_blank" rel="noopener noreferrer"></a><button class="button" type="button" data-copy="link">Copy link</button></p>
${leftOutLine(html``)}
<p class="muted">${replaces ? 'The address is the same as before.' : 'Save the address: it is shown only here.'} The upload link no longer works.</p>
</div>`;
}

/** The result of an upload without JavaScript. */
export function uploadedPage(uploaded: { brand: string; title: string; url: string }): Page {
  const { brand, title, url } = uploaded;
  const content = html`<h1>It is published</h1>
<div class="item"><p><strong>${isolatedName(title)}</strong>${projectLink(url)}</p></div>
<p>Save the address: it is shown only here. A large upload can take a minute to appear completely.</p>
<p class="muted">The upload link no longer works.</p>`;
  return cardFrame({ brand, title: 'It is published', hull: 'afloat', content });
}

/** What arrived by one upload. */
export interface ShownReceipt {
  number: number;
  receivedAt: string;
  files: readonly { path: string; size: number }[];
  fileCount: number;
  bytes: number;
}

/** The receipt for files that were sent by a file request without JavaScript. */
export function receiptPage(sent: { brand: string; receipt: ShownReceipt }): Page {
  const { brand, receipt } = sent;
  const { number, receivedAt, files, fileCount, bytes } = receipt;
  const content = html`<h1>Your files arrived</h1>
<p>Receipt number ${number}, ${timeOf(receivedAt)}. ${formatCount(fileCount, 'file')}, ${formatBytes(bytes)}.</p>
<ul>${files.map(({ path, size }) => html`<li><bdi>${path}</bdi>, ${formatBytes(size)}</li>`)}${fileCount > files.length && html`<li>and ${fileCount - files.length} more</li>`}</ul>
<p class="muted">Print or keep this page: it is shown only here.</p>`;
  return cardFrame({ brand, title: 'Your files arrived', hull: 'afloat', content });
}
