import { type Html, html } from '../parts/html.ts';

/**
 * Where files are chosen. A plain form that works by itself; the script hides what it does better.
 * @param hints what is to be known when choosing
 * @param intro what it is all about, where the page does not say that elsewhere
 */
export function pickPanel(hints: Html, intro?: Html): Html {
  return html`<div class="panel" id="pick">
${intro}
<h2><span class="without-script">Choose files or a ZIP</span><span class="with-script" hidden>Drop files, a folder or a ZIP here</span></h2>
<div class="choices">
<input class="native" id="files" type="file" name="files" multiple required aria-label="Choose files">
<label class="button with-script" for="files" hidden>Choose files</label>
<input class="native with-script" id="folder" type="file" webkitdirectory hidden aria-label="Choose a folder">
<label class="button quiet with-script" id="folder-label" for="folder" hidden>Choose a folder</label>
<button class="button without-script" type="submit">Publish</button>
</div>
${hints}
</div>`;
}

/** How far an upload is. */
export const sendingPanel = html`<div class="panel" id="sending" hidden>
<h2 id="stage" role="status" tabindex="-1">Sending</h2>
<p class="muted number" id="what"></p>
<progress id="progress" max="100" value="0" aria-label="Upload"></progress>
<div class="choices"><button class="button quiet" id="cancel" type="button">Cancel</button></div>
</div>`;

/** Which of several pages visitors start at. */
export const choosingPanel = html`<div class="panel" id="choosing" hidden>
<h2>Which page comes first?</h2>
<fieldset><legend class="muted">There are several HTML pages. Visitors start at the one you choose.</legend><div id="paths"></div></fieldset>
<div class="choices"><button class="button" id="chosen" type="button">Publish</button><button class="button quiet" id="back" type="button">Back</button></div>
</div>`;
