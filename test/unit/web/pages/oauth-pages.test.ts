import { describe, expect, test } from '@jest/globals';
import { authorizationProblemPage } from '../../../../web/pages/oauth/authorization-problem-page.ts';
import { consentPage } from '../../../../web/pages/oauth/consent-page.ts';
import { signInCodePage, signInPage } from '../../../../web/pages/oauth/sign-in-page.ts';
import { aConsent, authorizationTroubles, brand } from './every-page.ts';

const words = (html: string) =>
  html
    .replace(/<(style|title)>[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');

const target = { kind: 'site', host: 'claude.ai' } as const;
const asking = [
  ['consent', consentPage(aConsent())],
  ['sign-in', signInPage({ brand, clientName: 'Claude', target, signUpOpen: true })],
  [
    'code',
    signInCodePage({
      brand,
      clientName: 'Claude',
      target,
      email: 'a@example.org',
      resendAvailableInSeconds: 0,
    }),
  ],
] as const;

describe.each(asking)('the %s page', (_, page) => {
  test('posts to its own address, and the response may redirect to the app', () => {
    expect(page.html.match(/<form[^>]*>/g)).toEqual(['<form class="form" method="post">']);
    expect(page.csp).not.toContain('form-action');
    expect(page.csp).toContain("frame-ancestors 'none'");
    expect(page.csp).not.toContain('script-src');
    expect(page.html).toContain('<meta name="robots" content="noindex">');
  });

  test('names the app, and the host that gets the answer', () => {
    expect(words(page.html)).toContain('Claude');
    expect(words(page.html)).toContain('Return address claude.ai');
  });
});

describe('consentPage', () => {
  test('names the app, the scopes, the account and the host of the redirect', () => {
    const text = words(consentPage(aConsent()).html);
    expect(text).toContain('Connect Claude ?');
    expect(text).toContain('does not know who made it');
    expect(text).toContain('Account ann@example.org');
    expect(text).toContain('Return address claude.ai');
    expect(text).toMatch(
      /It can See your projects .* Publish, change .* See your account .* It cannot/,
    );
    expect(text).toMatch(/You can remove the access at any time .* for 60 days/);
  });

  test('shows the host that an app’s name comes from', () => {
    const client = { id: 'https://vscode.dev/app.json', name: 'VS Code', host: 'vscode.dev' };
    const text = words(consentPage(aConsent({ client })).html);
    expect(text).toContain('The name comes from vscode.dev ,');
    expect(text).not.toContain('does not know who made it');
  });

  test.each([
    [{ kind: 'site', host: 'claude.ai' }, 'Return address claude.ai', false],
    [{ kind: 'this-computer' }, 'Return address an app on this computer', true],
    [
      { kind: 'app', scheme: 'cursor' },
      'Return address the app on this device that opens cursor://',
      false,
    ],
  ] as const)('%j: %s', (target, said, warned) => {
    const text = words(consentPage(aConsent({ target })).html);
    expect(text).toContain(said);
    expect(text.includes('Any program on this computer')).toBe(warned);
  });

  test('lists scopes that are not requested as things that the app cannot do', () => {
    const text = words(consentPage(aConsent({ scopes: ['projects:read'] })).html);
    const [can = '', cannot = ''] = text.split('It cannot');
    expect(can).toContain('See your projects');
    expect(can).not.toContain('Publish');
    expect(cannot).toContain('Publish, change or delete anything.');
    expect(cannot).toContain('See your e-mail address or your plan.');
    expect(cannot).not.toContain('See your projects');
    expect(cannot).toContain('See or create API keys');
  });

  test('has Allow first, and no button with autofocus', () => {
    const { html } = consentPage(aConsent());
    const buttons = [...html.matchAll(/<button[^>]*name="(\w+)" value="(\w+)"[^>]*>([^<]+)</g)];
    expect(buttons.map(([, name, value, text]) => [name, value, text])).toEqual([
      ['decision', 'allow', 'Allow'],
      ['decision', 'deny', 'Don’t allow'],
      ['account', 'other', 'Use another account'],
    ]);
    expect(html).not.toContain('autofocus');
  });
});

describe('signInPage', () => {
  test.each([true, false])('promises an account only where there is one: %s', (signUpOpen) => {
    const { html } = signInPage({ brand, clientName: 'Claude', target, signUpOpen });
    expect(html.includes('New here? The code creates your account')).toBe(signUpOpen);
  });

  test('keeps the entered value, and links the error to the field', () => {
    const { html } = signInPage({
      brand,
      clientName: 'Claude',
      target,
      signUpOpen: true,
      email: 'a"b',
      error: 'Enter a valid e-mail address.',
    });
    expect(html).toContain('value="a&quot;b"');
    expect(html).toContain('aria-describedby="email-error email-hint" aria-invalid="true"');
    expect(html).toContain('<p class="fault" id="email-error" role="alert">Enter a valid');
  });
});

test.each(authorizationTroubles)('the problem %s says what to do', (kind) => {
  const { html } = authorizationProblemPage({ brand, kind, detail: 'Because of <this>.' });
  expect(html).toContain('<p>Because of &lt;this&gt;.</p>');
  expect(words(html)).toMatch(/close this page|Start again|Try again/);
  expect(html).toMatch(/<p class="status">(?:400|403|429|503)<\/p>/);
});
