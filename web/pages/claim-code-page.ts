import { codeLifeSeconds } from '../../core/accounts/sign-in-code.ts';
import { claimFault, claimFrame, type ClaimProject, claimSummary } from './claim-frame.ts';
import { html, named } from './html.ts';
import type { Page } from './page.ts';
import { count } from './sizes.ts';

/**
 * The second page of a claim link: the code from the e-mail.
 *
 * Its form posts `email` and `code` to the same address; with the second button it posts `resend=1`
 * as well, and the code may be empty then. The code may come with the spaces that mail programs put
 * between digits. The link opens the first page again.
 */
export function claimCodePage(claim: {
  brand: string;
  project: ClaimProject;
  now: Date;
  email: string;
  resendAvailableInSeconds: number;
  /** What went well, such as that the code was sent again. */
  notice?: string | undefined;
  error?: string | undefined;
}): Page {
  const { brand, project, now, email, resendAvailableInSeconds, notice, error } = claim;
  const described = error === undefined ? 'code-hint' : 'code-error code-hint';
  const content = html`<h1>Enter the code</h1>
<p>A six-digit code is on its way to <strong>${named(email)}</strong>. It works for ${count(codeLifeSeconds / 60, 'minute')}.</p>
${notice !== undefined && html`<p class="muted" role="status">${notice}</p>`}
<form class="form" method="post">
${claimFault('code-error', error)}
<input type="hidden" name="email" value="${email}">
<div class="field">
<label for="code">Code from the e-mail</label>
<input class="digits" id="code" name="code" type="text" inputmode="numeric" autocomplete="one-time-code" pattern="\\s*([0-9]\\s*){6}" maxlength="20" title="Six digits" required autofocus aria-describedby="${described}"${error !== undefined && html` aria-invalid="true"`}>
<p class="hint" id="code-hint">No e-mail? Look into the spam folder.${resendAvailableInSeconds > 0 && html` It can be sent again in ${count(resendAvailableInSeconds, 'second')}.`}</p>
</div>
<div class="choices"><button class="button" type="submit">Keep it</button><button class="button quiet" type="submit" name="resend" value="1" formnovalidate>Send it again</button></div>
<p><a href="">Use another address</a></p>
</form>
<div class="form">
${claimSummary(project, now)}
</div>`;
  return claimFrame({ brand, title: 'Enter the code', hull: 'ready', content });
}
