import { type Html, html } from './parts/html.ts';

/**
 * The panel for choosing files. The form works without scripts; the script hides the parts that it
 * replaces.
 * @param hints advice for choosing files
 * @param intro an introduction, if the page has none elsewhere
 * @param accept endings of the files, if only some are accepted
 */
export function pickPanel(
  hints: Html,
  { intro, action = 'Publish', accept }: { intro?: Html; action?: string; accept?: string } = {},
): Html {
  return html`<div class="panel" id="pick">
${intro}
<h2><span class="without-script">Choose files or a ZIP</span><span class="with-script" hidden>Drop files, a folder or a ZIP here</span></h2>
<div class="choices">
<input class="native" id="files" type="file" name="files" multiple required${accept !== undefined && html` accept="${accept}"`} aria-label="Choose files">
<label class="button with-script" for="files" hidden>Choose files</label>
<input class="native with-script" id="folder" type="file" webkitdirectory hidden aria-label="Choose a folder">
<label class="button quiet with-script" id="folder-label" for="folder" hidden>Choose a folder</label>
<button class="button without-script" type="submit">${action}</button>
</div>
${hints}
</div>`;
}

/** Which files were left out, and what can be done about it. */
export function leftOutLine(action: Html): Html {
  return html`<p class="hint" id="left-out" hidden><bdi id="left-out-text"></bdi> ${action}</p>`;
}

/** How far an upload is. */
export const sendingPanel = html`<div class="panel" id="sending" hidden>
<h2 id="stage" role="status" tabindex="-1">Sending</h2>
<p class="muted number" id="what"></p>
<progress id="progress" max="100" value="0" aria-label="Upload"></progress>
<div class="choices"><button class="button quiet" id="cancel" type="button">Cancel</button></div>
</div>`;

/** Whether files that seem to contain keys are published all the same. */
export const keysPanel = html`<div class="panel" id="keys" hidden>
<h2 id="keys-title" tabindex="-1">These files seem to contain keys</h2>
<p class="muted">Keys are secrets like passwords. Everybody could read and use them. Take them out and choose the files again.</p>
<ul id="places"></ul>
<div class="choices"><button class="button" id="anyway" type="button">Publish anyway</button><button class="button quiet" id="withdraw" type="button">Back</button></div>
</div>`;

/** Whether a ZIP with a password is shared as it is. */
export const lockedPanel = html`<div class="panel" id="locked" hidden>
<h2 id="locked-title" tabindex="-1">This ZIP has a password</h2>
<p class="muted">Its content cannot be shown as a page. You can share the ZIP itself: visitors download it, and open it with its password.</p>
<div class="choices"><button class="button" id="as-file" type="button">Share as one file</button><button class="button quiet" id="other-zip" type="button">Back</button></div>
</div>`;

/** Whether source code that was not built is published all the same. */
export const sourcePanel = html`<div class="panel" id="source" hidden>
<h2 id="source-title" tabindex="-1">This looks like source code</h2>
<p class="muted">Visitors would see the source, not the site. Drop <strong>dist</strong> instead: the folder that your build makes. It may also be called “build” or “out”.</p>
<div class="choices"><button class="button" id="other-folder" type="button">Choose again</button><button class="button quiet" id="as-source" type="button">Publish anyway</button></div>
</div>`;

/** Which of several pages visitors start at. */
export const choosingPanel = html`<div class="panel" id="choosing" hidden>
<h2>Choose the start page</h2>
<fieldset><legend class="muted">There are several HTML pages. Visitors see the one that you choose first.</legend><div id="paths"></div></fieldset>
<div class="choices"><button class="button" id="chosen" type="button">Publish</button><button class="button quiet" id="back" type="button">Back</button></div>
</div>`;
