import type { ReportReason } from '../../../contract/abuse-report.ts';
import { formError, type Html, html, isolatedName } from '../parts/html.ts';
import { type Page, renderPage } from '../parts/page.ts';
import { visitorFrame } from './visitor-frame.ts';

const reasons: Record<ReportReason, string> = {
  phishing: 'It pretends to be someone else, or it asks for passwords or card details',
  malware: 'It harms devices, or it tricks people into installing something',
  copyright: 'It uses my work, or the work of someone I represent, without permission',
  illegal: 'It is illegal in another way',
  other: 'Something else',
};

/** The form for a report of abuse of the site at `host`; it posts to its own address. */
export function reportPage(report: {
  brand: string;
  host: string;
  /** The earlier input. */
  fields?: Record<string, string> | undefined;
  error?: string | undefined;
}): Page {
  const { brand, host, fields = {}, error } = report;
  const title = 'Report this site';
  const body = visitorFrame(
    brand,
    html`<div class="message">
<h1>${title}</h1>
<p>Your report about ${isolatedName(host)} goes to the operator of this service, not to the owner of the site.</p>
<form class="form" method="post" action="/_slipway/report">
${formError('report-error', error)}
<fieldset><legend>What is wrong with it?</legend>
${Object.entries(reasons).map((reason) => choice(reason, fields['reason']))}</fieldset>
<div class="field">
<label for="message">What did you see?</label>
<textarea id="message" name="message" rows="5" maxlength="2000" required>${fields['message'] ?? ''}</textarea>
</div>
<div class="field">
<label for="url">On which page? <span class="muted">(optional)</span></label>
<input id="url" name="url" value="${fields['url'] ?? ''}" maxlength="2000" spellcheck="false" autocapitalize="none">
</div>
<div class="field">
<label for="email">Your e-mail address <span class="muted">(optional)</span></label>
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

/** Thanks the person who reported a site. */
export function reportSentPage({ brand }: { brand: string }): Page {
  const title = 'Thank you for your report';
  const body = visitorFrame(
    brand,
    html`<div class="message">
<h1>${title}</h1>
<p>A person will read it and check the site. If you left an e-mail address, the operator may write to you.</p>
<p><a href="/">Go back to the site</a></p>
</div>`,
  );
  return renderPage({ brand, title, body, noIndex: true });
}
