import type { ReportReason } from '../../../contract/abuse-report.ts';
import { fault } from '../parts/fault.ts';
import { type Html, html, named } from '../parts/html.ts';
import { type Page, renderPage } from '../parts/page.ts';
import { visitorFrame } from './visitor-frame.ts';

const reasons: Record<ReportReason, string> = {
  phishing: 'It pretends to be somebody else, or asks for passwords or cards',
  malware: 'It harms devices, or makes people install something',
  copyright: 'It shows work of mine, or of somebody I act for',
  illegal: 'It is against the law in another way',
  other: 'Something else',
};

/** The form for a report of abuse of the site at `host`; it posts to its own address. */
export function reportPage(report: {
  brand: string;
  host: string;
  /** What was entered before. */
  fields?: Record<string, string> | undefined;
  error?: string | undefined;
}): Page {
  const { brand, host, fields = {}, error } = report;
  const title = 'Report this site';
  const body = visitorFrame(
    brand,
    html`<div class="message">
<h1>${title}</h1>
<p>What you send about ${named(host)} goes to whoever runs this service, not to the owner of the site.</p>
<form class="form" method="post" action="/_slipway/report">
${fault('report-error', error)}
<fieldset><legend>What is wrong with it?</legend>
${Object.entries(reasons).map((reason) => choice(reason, fields['reason']))}</fieldset>
<div class="field">
<label for="message">What did you see?</label>
<textarea id="message" name="message" rows="5" maxlength="2000" required>${fields['message'] ?? ''}</textarea>
</div>
<div class="field">
<label for="url">On which page? <span class="muted">(may stay empty)</span></label>
<input id="url" name="url" value="${fields['url'] ?? ''}" maxlength="2000" spellcheck="false" autocapitalize="none">
</div>
<div class="field">
<label for="email">Your e-mail address <span class="muted">(may stay empty)</span></label>
<input id="email" name="email" type="email" value="${fields['email'] ?? ''}" autocomplete="email" maxlength="254" spellcheck="false" autocapitalize="none">
</div>
<div class="choices"><button class="button" type="submit">Send the report</button></div>
</form>
</div>`,
  );
  return renderPage({ brand, title, body, noIndex: true, forms: true });
}

function choice([reason, text]: [string, string], chosen: string | undefined): Html {
  return html`<label class="option"><input type="radio" name="reason" value="${reason}" required${reason === chosen && html` checked`}> ${text}</label>
`;
}
