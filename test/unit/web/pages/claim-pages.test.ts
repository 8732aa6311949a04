import { describe, expect, test } from '@jest/globals';
import { claimCodePage, claimPage } from '../../../../web/pages/claim-pages.ts';
import { claimProblemPage } from '../../../../web/pages/claim-problem-page.ts';
import { formatTimeLeft } from '../../../../web/pages/parts/format.ts';
import type { Page } from '../../../../web/pages/parts/page.ts';
import { aClaim, aCodeClaim, brand, claimProblems } from './every-page.ts';

const end = '<time datetime="2030-01-02T03:04:05.000Z">2 January 2030 at 03:04 UTC</time>';

/** Attributes of every input and button, in order. */
function controls({ html }: Page): Record<string, string>[] {
  return [...html.matchAll(/<(?:input|button)((?: [a-z-]+(?:="[^"]*")?)*)>/g)].map(
    ([, list = '']) =>
      Object.fromEntries(
        [...list.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [
          name,
          value,
        ]),
      ),
  );
}

const forms = [
  [
    'the claim page',
    claimPage(aClaim()),
    claimPage(aClaim({ error: 'Too <many> mails.' })),
    'email',
  ],
  [
    'the code page',
    claimCodePage(aCodeClaim()),
    claimCodePage(aCodeClaim({ error: 'Too <many> mails.' })),
    'code',
  ],
] as const;

describe.each(forms)('the form of %s', (_, page, failed, name) => {
  test('posts to the address that it was opened at, which no other page may know', () => {
    expect(page.html.match(/<form[^>]*>/g)).toEqual(['<form class="form" method="post">']);
    expect(page.csp).toContain("form-action 'self'");
    expect(page.csp).not.toContain('script-src');
    expect(page.html).toContain('<meta name="robots" content="noindex">');
  });

  test('has one labelled field, which has the focus', () => {
    const visible = controls(page).filter(({ type }) => type !== 'hidden' && type !== 'submit');
    expect(visible).toMatchObject([{ name, id: name, required: '', autofocus: '' }]);
    expect(page.html.match(/<label /g)).toHaveLength(1);
    expect(page.html).toContain(`<label for="${name}">`);
  });

  test('links the error to the field, and announces it', () => {
    expect(failed.html).toContain(
      `<p class="fault" id="${name}-error" role="alert">Too &lt;many&gt; mails.</p>`,
    );
    const [field = {}] = controls(failed).filter(({ id }) => id === name);
    expect(field['aria-describedby']).toBe(`${name}-error ${name}-hint`);
    expect(field['aria-invalid']).toBe('true');
    expect(failed.html).toContain(`id="${name}-hint"`);
  });

  test('shows no error without one', () => {
    const [field = {}] = controls(page).filter(({ id }) => id === name);
    expect(field['aria-describedby']).toBe(`${name}-hint`);
    expect(field).not.toHaveProperty('aria-invalid');
    expect(page.html).not.toContain('role="alert"');
  });

  test('names the project and its expiry', () => {
    expect(page.html).toContain('<strong><bdi>Harbour survey</bdi></strong>');
    expect(page.html).toContain(
      '<a href="https://calm-harbour-k7m2.sites.example" target="_blank" rel="noopener noreferrer">calm-harbour-k7m2.sites.example</a>',
    );
    expect(page.html).toContain('<dd>File, 3 files, 3 kB</dd>');
    expect(page.html).toContain(`in <strong>12 minutes</strong>, ${end}`);
  });
});

describe('claimPage', () => {
  test('keeps the address that was entered', () => {
    const [field = {}] = controls(claimPage(aClaim({ email: 'a"b@example.org', error: 'No.' })));
    expect(field['value']).toBe('a&quot;b@example.org');
    expect(field['autocomplete']).toBe('email');
  });

  test.each([
    [{ trialDays: 7, signUpOpen: true }, true, true],
    [{ trialDays: 0, signUpOpen: true }, false, true],
    [{ trialDays: 7, signUpOpen: false }, false, false],
  ])('promises under %j only what the plan keeps', (terms, trial, account) => {
    const keeping = { freeDays: 7, defaultPlan: 'free' as const, ...terms };
    const { html } = claimPage(aClaim({ keeping }));
    expect(html).toContain('On the free plan it stays online for 7 days');
    expect(html.includes('A new account starts with a paid plan for 7 days.')).toBe(trial);
    expect(html.includes('New here? The code creates your account')).toBe(account);
  });
});

describe('claimPage where every new account has a paid plan', () => {
  test('speaks of no plan and no trial', () => {
    const keeping = { freeDays: 7, defaultPlan: 'scale' as const, trialDays: 7, signUpOpen: true };
    const { html } = claimPage(aClaim({ keeping }));
    expect(html).toContain('It stays online until you delete it.');
    expect(html).not.toMatch(/\bplan\b|trial/);
  });
});

describe('claimPage for somebody who is signed in', () => {
  test('has one button and no field, and says whose account it is', () => {
    const page = claimPage(aClaim({ signedInAs: 'ann@example.org' }));
    expect(controls(page)).toEqual([{ class: 'button', type: 'submit', name: 'keep', value: '1' }]);
    expect(page.html).toContain(
      'You are signed in as <strong><bdi>ann@example.org</bdi></strong>.',
    );
    expect(page.csp).toContain("form-action 'self'");
  });
});

describe('claimCodePage', () => {
  test('carries the address and nothing else in hidden fields', () => {
    const hidden = controls(claimCodePage(aCodeClaim())).filter(({ type }) => type === 'hidden');
    expect(hidden).toEqual([{ type: 'hidden', name: 'email', value: 'ann@example.org' }]);
  });

  test('asks for digits in the way that telephones can fill in', () => {
    const [, field = {}] = controls(claimCodePage(aCodeClaim()));
    expect(field).toMatchObject({ inputmode: 'numeric', autocomplete: 'one-time-code' });
    const pattern = new RegExp(`^(?:${field['pattern']})$`, 'v');
    for (const code of ['012345', '012 345', ' 012345 ']) expect(code).toMatch(pattern);
    for (const code of ['', '01234', '0123456', '01234a']) expect(code).not.toMatch(pattern);
  });

  test('accepts the long code too, and asks for it when digits are refused', () => {
    const longCode = 'bcdf-ghjk-mnpq-rstv-wxyz-bcdf';
    const [, digits = {}] = controls(claimCodePage(aCodeClaim()));
    for (const text of [longCode, longCode.toUpperCase(), longCode.replaceAll('-', ' ')]) {
      expect(text).toMatch(new RegExp(`^(?:${digits['pattern']})$`, 'v'));
      expect(text.length).toBeLessThanOrEqual(Number(digits['maxlength']));
    }
    const page = claimCodePage(aCodeClaim({ needsLongCode: true, error: 'Too many.' }));
    expect(page.html).toContain('>Long code from the e-mail</label>');
    const [, field = {}] = controls(page);
    expect(field).not.toHaveProperty('inputmode');
    expect(field).not.toHaveProperty('pattern');
  });

  test('verifies on Enter; sending again needs no code', () => {
    const buttons = controls(claimCodePage(aCodeClaim())).filter(({ type }) => type === 'submit');
    const [verify = {}, resend = {}] = buttons;
    expect(buttons).toHaveLength(2);
    expect(verify).not.toHaveProperty('name');
    expect(resend).toMatchObject({ name: 'resend', value: '1', formnovalidate: '' });
  });

  test('says when the code can be sent again, unless it can be now', () => {
    expect(claimCodePage(aCodeClaim()).html).toContain('The code can be sent again in 42 seconds.');
    const { html } = claimCodePage(aCodeClaim({ resendAvailableInSeconds: 0 }));
    expect(html).not.toContain('sent again in');
    expect(html).toContain('>Send it again</button>');
  });

  test('leads back to the first page', () => {
    expect(claimCodePage(aCodeClaim()).html).toContain('<a href="">Use another address</a>');
  });

  test('announces success as a status', () => {
    const { html } = claimCodePage(aCodeClaim({ notice: 'Sent & done.' }));
    expect(html).toContain('<p class="muted" role="status">Sent &amp; done.</p>');
    expect(claimCodePage(aCodeClaim()).html).not.toContain('role="status"');
  });
});

describe('claimProblemPage', () => {
  test.each([
    ['unknown', 404],
    ['already-claimed', 409],
    ['project-limit', 403],
    ['storage-limit', 403],
    ['rate-limited', 429],
    ['unavailable', 503],
  ] as const)('tells for %s the status %i and the figures', (kind, status) => {
    const { html } = claimProblemPage({ brand, kind, detail: '5 of 5 & no more' });
    expect(html).toContain(`<p class="status">${status}</p>`);
    expect(html).toContain('<p>5 of 5 &amp; no more</p>');
  });

  test('has its own heading for each problem, and a link back only if the claim can continue', () => {
    const pages = claimProblems.map((kind) => claimProblemPage({ brand, kind }).html);
    expect(new Set(pages.map((page) => /<h1>.*<\/h1>/.exec(page)?.[0])).size).toBe(6);
    const leadBack = claimProblems.filter((_, index) => pages[index]?.includes('href=""'));
    expect(leadBack).toEqual(['project-limit', 'storage-limit', 'rate-limited', 'unavailable']);
  });
});

test.each([
  [-5, 'less than a minute'],
  [59.9, 'less than a minute'],
  [60, '1 minute'],
  [899, '14 minutes'],
  [3600, '1 hour'],
  [2 * 86_400 - 1, '1 day'],
  [7 * 86_400, '7 days'],
])('%d seconds are spelt %s', (seconds, text) => {
  const now = new Date('2030-01-02T03:04:05.000Z');
  expect(formatTimeLeft(new Date(now.getTime() + seconds * 1000).toISOString(), now)).toBe(text);
});
