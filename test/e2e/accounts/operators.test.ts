import { beforeAll, describe, expect, test } from '@jest/globals';
import { anEmail, get, mailsTo, post, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, file, isLocal, somebody } from '../../fixtures/clouds/client.ts';
import { operators } from '../../fixtures/clouds/cloud-settings.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { Browser } from '../../fixtures/visits/browser.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

let operator: Browser;
beforeAll(async () => {
  if (isLocal) operator = await new Browser(operators[0]).signIn();
});

/** An account with one project. */
async function somebodysProject() {
  const email = anEmail();
  const key = await signIn(email);
  const { projectId, url } = await created(key, { files: [file('index.html', 'served')] });
  return { email, key, projectId, url };
}

async function accountOf(email: string) {
  const path = `/v1/operator/accounts?account=${encodeURIComponent(email)}`;
  return (await operator.send('GET', path)).json.data.accounts[0];
}

async function report(url: string, message: string, from = somebody()) {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ reason: 'phishing', message });
  const sent = await ask(`${url}/_slipway/report`, {
    method: 'POST',
    headers,
    body,
    from,
  });
  expect(sent.status).toBe(202);
}

/** The rows of a project in the list of reports, wherever it is in the list. */
async function reported(projectId: string, state = 'open') {
  const found: any[] = [];
  for (let cursor = ''; cursor !== 'end'; ) {
    const path = `/v1/operator/reports?state=${state}&limit=3${cursor}`;
    const page = (await operator.send('GET', path)).json.data;
    found.push(...page.projects.filter((one: any) => one.projectId === projectId));
    cursor = page.nextCursor === null ? 'end' : `&cursor=${encodeURIComponent(page.nextCursor)}`;
  }
  return found;
}

local('an operator in a browser', () => {
  test('reads a report, takes its project down with a reason, and releases it', async () => {
    const { email, key, projectId, url } = await somebodysProject();
    const message = `<b>It asks</b> for ${projectId}`;
    await report(url, message);
    const [found] = await reported(projectId);
    expect(found).toMatchObject({
      count: 1,
      reports: [{ message, email: null }],
      project: { projectId, takedown: null },
    });

    const host = new URL(url).host;
    const target = { target: `https://${host}/some/page`, reason: 'It asks for passwords.' };
    const down = await operator.send('POST', '/v1/operator/takedowns', target);
    expect(down.json.data).toMatchObject({ projectId, takedown: { reason: target.reason } });
    expect((await ask(url)).status).toBe(451);
    const [mail] = await mailsTo(email, operator.service);
    expect(mail).toMatchObject({ subject: expect.stringContaining('was taken down') });
    expect(mail.text).toContain(target.reason);
    // The owner reads the reason as after the operator's command.
    expect((await get(`/v1/projects/${projectId}`, key)).text).toContain(target.reason);
    const [again] = await reported(projectId);
    expect(again.project.takedown.reason).toBe(target.reason);

    // An owner who wants no such mail gets none about a second one.
    const owner = await new Browser(email, operator.service).signIn();
    await owner.send('PATCH', '/v1/account/mails', { mails: { takedowns: false } });
    await operator.send('POST', '/v1/operator/takedowns', target);
    const told = (await mailsTo(email, operator.service)).filter(({ subject }) =>
      subject.includes('was taken down'),
    );
    expect(told).toHaveLength(1);

    const path = `/v1/operator/takedowns/${projectId}`;
    expect((await operator.send('DELETE', path)).json.data.takedown).toBe(null);
    expect((await ask(url)).text).toBe('served');
  });

  test('decides about all reports of a project that the list had, and later ones stay open', async () => {
    const { email, key, projectId, url } = await somebodysProject();
    const decide = async (lastNumber: number, outcome: string, reason: string) =>
      operator.send('POST', `/v1/operator/reports/${projectId}/resolution`, {
        lastNumber,
        outcome,
        reason,
      });
    for (const message of ['first', 'second', 'third']) await report(url, message);
    const [open] = await reported(projectId);
    expect(open).toMatchObject({
      count: 3,
      lastNumber: 3,
      resolution: null,
      project: { title: 'A title', url, ownerEmail: email },
    });
    expect(open.reports.map(({ message }: any) => message)).toEqual(['third', 'second', 'first']);
    expect(open.reports[0].siteUrl).toBe(url);
    await report(url, 'fourth');
    expect((await decide(3, 'nothing-wrong', 'A joke.')).json.data).toEqual({ resolved: 3 });
    expect(await reported(projectId)).toMatchObject([
      { count: 1, lastNumber: 4, reports: [{ message: 'fourth' }] },
    ]);
    expectRefusal(await decide(3, 'taken-down', 'x'), 404, 'NOT_FOUND');
    expectRefusal(await decide(5, 'taken-down', 'x'), 404, 'NOT_FOUND');
    expect((await ask(url)).text).toBe('served');

    const down = await decide(4, 'taken-down', 'It asks for passwords.');
    expect(down.json.data).toEqual({ resolved: 1 });
    expect(await reported(projectId)).toEqual([]);
    expect((await ask(url)).status).toBe(451);
    expect((await get(`/v1/projects/${projectId}`, key)).text).toContain('It asks for passwords.');
    expect(await reported(projectId, 'resolved')).toMatchObject([
      { count: 1, resolution: { outcome: 'taken-down' } },
      { count: 3, resolution: { outcome: 'nothing-wrong' } },
    ]);
  });

  test('lists accounts, newest first, and sets a plan', async () => {
    const older = await somebodysProject();
    const newer = await somebodysProject();
    const path = '/v1/operator/accounts';
    const first = (await operator.send('GET', `${path}?limit=1`)).json.data;
    expect(first.accounts).toHaveLength(1);
    const emails: string[] = [];
    for (let cursor = ''; cursor !== 'end'; ) {
      const page = (await operator.send('GET', `${path}?limit=50${cursor}`)).json.data;
      emails.push(...page.accounts.map(({ email }: any) => email));
      cursor = page.nextCursor === null ? 'end' : `&cursor=${encodeURIComponent(page.nextCursor)}`;
    }
    expect(new Set(emails).size).toBe(emails.length);
    expect(emails.indexOf(newer.email)).toBeGreaterThanOrEqual(0);
    expect(emails.indexOf(newer.email)).toBeLessThan(emails.indexOf(older.email));

    const { accountId } = await accountOf(newer.email);
    const set = await operator.send('PUT', `${path}/${accountId}/plan`, { plan: 'agency' });
    expect(set.json.data).toMatchObject({ email: newer.email, plan: 'agency' });
    expect((await get('/v1/user', newer.key)).json.data.plan).toMatchObject({ tier: 'agency' });
  });

  test('finds an account, suspends it and lifts that; both may be repeated', async () => {
    const { email, key, url } = await somebodysProject();
    const { accountId, ...account } = await accountOf(email);
    expect(account).toMatchObject({ email, state: 'active', projectCount: 1 });
    const path = `/v1/operator/accounts/${accountId}/suspension`;
    for (const _ of ['first', 'again']) {
      const answer = await operator.send('POST', path, { reason: 'Phishing.' });
      expect(answer.json.data).toMatchObject({ state: 'suspended', suspensionReason: 'Phishing.' });
    }
    const mails = await mailsTo(email, operator.service);
    const told = mails.filter(({ subject }) => subject.includes('was suspended'));
    expect(told).toHaveLength(1);
    expect(told[0].text).toContain('Phishing.');
    const refused = await get('/v1/user', key);
    expectRefusal(refused, 403, 'ACCOUNT_SUSPENDED');
    expect(refused.json.error).toContain('Phishing.');
    expect((await ask(url)).status).not.toBe(200);
    for (const _ of ['first', 'again']) {
      expect((await operator.send('DELETE', path)).json.data).toMatchObject({ state: 'active' });
    }
    expect((await get('/v1/user', key)).status).toBe(200);
    expect((await ask(url)).text).toBe('served');
  });

  test('does not bring an account back that its owner deleted, by lifting its suspension', async () => {
    const { email, key } = await somebodysProject();
    const { accountId } = await accountOf(email);
    const owner = await new Browser(email).signIn();
    expect((await owner.send('DELETE', '/v1/account', { confirm: email })).status).toBe(200);
    const path = `/v1/operator/accounts/${accountId}/suspension`;
    const suspended = await operator.send('POST', path, { reason: 'Phishing.' });
    expect(suspended.json.data).toMatchObject({ state: 'suspended' });
    expect((await operator.send('DELETE', path)).json.data).toMatchObject({ state: 'closed' });
    expectRefusal(await get('/v1/user', key), 403, 'ACCOUNT_SUSPENDED');
    const links = (await mailsTo(email, operator.service)).flatMap(
      ({ text }) => /\S+\/account\/keep\/\S+/.exec(text)?.[0] ?? [],
    );
    // The first mail's link and day hold no more.
    expect(new Set(links).size).toBe(2);
    await new Browser(email).signIn();
    expect((await get('/v1/user', key)).status).toBe(200);
  });

  test('gets a sentence for what does not exist, and cannot suspend an operator', async () => {
    const missing = crypto.randomUUID();
    const nobody = await operator.send('GET', '/v1/operator/accounts?account=x@y.example');
    expect(nobody.json.data).toEqual({ accounts: [], nextCursor: null });
    const resolution = `/v1/operator/reports/${missing}/resolution`;
    const decision = { lastNumber: 1, outcome: 'nothing-wrong', reason: 'x' };
    expectRefusal(await operator.send('POST', resolution, decision), 404, 'NOT_FOUND');
    expectRefusal(
      await operator.send('POST', `/v1/operator/accounts/${missing}/suspension`, { reason: 'x' }),
      404,
      'NOT_FOUND',
    );
    expectRefusal(
      await operator.send('DELETE', `/v1/operator/takedowns/${missing}`),
      404,
      'NOT_FOUND',
    );
    const takedown = { target: 'nobody.example', reason: 'x' };
    expectRefusal(
      await operator.send('POST', '/v1/operator/takedowns', takedown),
      404,
      'NOT_FOUND',
    );
    const { accountId } = await accountOf(operators[0]);
    const path = `/v1/operator/accounts/${accountId}/suspension`;
    const own = await operator.send('POST', path, { reason: 'x' });
    expectRefusal(own, 400, 'INVALID_REQUEST');
    expect(own.json.error).toContain('operator');
  });

  test('invites somebody, who gets a mail with a page and has the plan after the sign-in', async () => {
    const email = anEmail();
    const path = '/v1/operator/invitations';
    const made = await operator.send('POST', path, { email: email.toUpperCase(), plan: 'agency' });
    expect(made.json.data).toMatchObject({ email, plan: 'agency', joinedAt: null, mailed: true });
    const [mail] = await mailsTo(email);
    expect(mail?.text).toContain(made.json.data.url);
    expect(made.json.data.url).toContain(`/dashboard/sign-in?email=${encodeURIComponent(email)}`);
    const key = await signIn(email);
    expect((await get('/v1/user', key)).json.data.plan).toMatchObject({ tier: 'agency' });
    const found = (await operator.send('GET', path)).json.data;
    expect(found.signUpPolicy).toBe('open');
    const [own] = found.invitations.filter((one: any) => one.email === email);
    expect(own.joinedAt).toEqual(expect.any(String));
    expectRefusal(await operator.send('POST', path, { email }), 409, 'EMAIL_TAKEN');
    const removed = await operator.send('DELETE', `${path}?email=${encodeURIComponent(email)}`);
    expect(removed.json.data).toEqual({ deleted: true });
    const left = (await operator.send('GET', path)).json.data.invitations;
    expect(left.filter((one: any) => one.email === email)).toEqual([]);
  });

  test('is told so by the session; nobody else is, and gets 404 for every operation', async () => {
    const { projectId, email, key, url } = await somebodysProject();
    const stranger = await new Browser(email).signIn();
    const session = async (browser: Browser) =>
      (await browser.send('GET', '/v1/session')).json.data.isOperator;
    expect([await session(operator), await session(stranger)]).toEqual([true, false]);
    const { accountId } = await accountOf(email);
    const takedown = { target: projectId, reason: 'x' };
    const calls: [string, string, object?][] = [
      ['GET', '/v1/operator/reports'],
      ['POST', '/v1/operator/takedowns', takedown],
      ['DELETE', `/v1/operator/takedowns/${projectId}`],
      ['GET', `/v1/operator/accounts?account=${email}`],
      ['PUT', `/v1/operator/accounts/${accountId}/plan`, { plan: 'scale' }],
      [
        'POST',
        `/v1/operator/reports/${accountId}/resolution`,
        { lastNumber: 1, outcome: 'suspended', reason: 'x' },
      ],
      ['POST', `/v1/operator/accounts/${accountId}/suspension`, { reason: 'x' }],
      ['DELETE', `/v1/operator/accounts/${accountId}/suspension`],
      ['GET', '/v1/operator/invitations'],
      ['POST', '/v1/operator/invitations', { email }],
      ['DELETE', '/v1/operator/invitations?email=x%40example.org'],
    ];
    const nowhere = await stranger.send('POST', '/v1/nowhere', {});
    for (const [method, path, body] of calls) {
      const answer = await stranger.send(method, path, body);
      expectRefusal(answer, 404, 'NOT_FOUND');
      expect(answer.json.error).toBe(nowhere.json.error);
    }
    expect((await ask(url)).status).toBe(200);
    // Also a key of an operator: what it leaks could take everything down.
    const operatorKey = (await operator.send('POST', '/v1/keys', { name: 'CI' })).json.data.key;
    for (const sent of [operatorKey, key]) {
      const answer = await sendWith(sent, `${operator.service}/v1/operator/takedowns`, takedown);
      expectRefusal(answer, 401, 'SESSION_MISSING');
    }
    expectRefusal(await post('/v1/operator/takedowns', takedown), 401, 'SESSION_MISSING');
  });
});
