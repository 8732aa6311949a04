import { SESClient, SendEmailCommand, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { afterEach, describe, expect, test } from '@jest/globals';
import { movableClock } from '../../../../local/time/clock.ts';
import { inboxPage } from '../../../../local/ses/inbox-page.ts';
import { type Mail, mailStore } from '../../../../local/ses/mail-store.ts';
import { startSes } from '../../../../local/ses/ses.ts';
import { anIam } from '../an-iam.ts';
import { temporaryFolder } from '../../../fixtures/clouds/temporary-folder.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function start(actions = ['ses:SendEmail', 'ses:SendRawEmail'], conditions?: object) {
  const { iam, credentials } = anIam(actions, conditions);
  const dir = temporaryFolder('mail');
  const store = mailStore(dir);
  const server = await startSes({
    clock: movableClock(),
    iam,
    store,
    identities: ['slipway.example'],
  });
  const client = new SESClient({
    endpoint: server.url,
    region: 'us-east-1',
    credentials,
    maxAttempts: 1,
  });
  ends.push(async () => {
    client.destroy();
    await server.close();
  });
  return { client, store, dir, url: server.url };
}

function anEmail(change: Partial<{ from: string; to: string[] }> = {}) {
  return new SendEmailCommand({
    Source: change.from ?? 'Slipway <hello@slipway.example>',
    Destination: { ToAddresses: change.to ?? ['Ann <ann@example.com>', 'ben@example.com'] },
    Message: {
      Subject: { Data: 'Your code: 123456 & more' },
      Body: { Text: { Data: 'Line one\nLine two' }, Html: { Data: '<b>Hi</b>' } },
    },
    ReplyToAddresses: ['help@slipway.example'],
  });
}

describe('SendEmail', () => {
  test('ends in the inbox of every recipient, and stays there', async () => {
    const { client, store, dir } = await start();
    const { MessageId } = await client.send(anEmail());
    expect(MessageId).toMatch(/^[0-9a-f-]{36}$/);
    expect(store.list('ANN@example.com')).toMatchObject([
      {
        id: MessageId,
        from: 'Slipway <hello@slipway.example>',
        to: ['Ann <ann@example.com>', 'ben@example.com'],
        replyTo: ['help@slipway.example'],
        subject: 'Your code: 123456 & more',
        text: 'Line one\nLine two',
        html: '<b>Hi</b>',
      },
    ]);
    expect(mailStore(dir).list('ben@example.com')).toHaveLength(1);
    expect(store.list('carl@example.com')).toEqual([]);
  });

  test.each<[string, () => Promise<Awaited<ReturnType<typeof start>>>, SendEmailCommand, string]>([
    [
      'a sender whom nobody verified',
      () => start(),
      anEmail({ from: 'a@elsewhere.example' }),
      'MessageRejected',
    ],
    ['a mail without recipients', () => start(), anEmail({ to: [] }), 'InvalidParameterValue'],
    ['a role without the permission', () => start(['ses:GetSendQuota']), anEmail(), 'AccessDenied'],
    [
      'a sender whom the role may not use',
      () =>
        start(['ses:SendEmail'], { StringEquals: { 'ses:FromAddress': 'other@slipway.example' } }),
      anEmail(),
      'AccessDenied',
    ],
  ])('refuses %s', async (_, begin, email, name) => {
    const { client, store } = await begin();
    await expect(client.send(email)).rejects.toMatchObject({ name });
    expect(store.list()).toEqual([]);
  });
});

test('SendRawEmail keeps the message and lists what its head says', async () => {
  const { client, store } = await start();
  const raw =
    'From: hello@slipway.example\r\nTo: ann@example.com,\r\n ben@example.com\r\nSubject: Raw\r\n\r\nBody';
  await client.send(new SendRawEmailCommand({ RawMessage: { Data: Buffer.from(raw) } }));
  expect(store.list()).toMatchObject([
    { to: ['ann@example.com', 'ben@example.com'], subject: 'Raw', raw },
  ]);
});

test('an unknown action and an unknown key are errors in XML', async () => {
  const { url } = await start();
  const unknown = await fetch(url, { method: 'POST', body: 'Action=Fly' });
  expect(unknown.status).toBe(400);
  expect(await unknown.text()).toContain('<Code>InvalidAction</Code>');
  const stranger = await fetch(url, { method: 'POST', body: 'Action=SendEmail' });
  expect(stranger.status).toBe(403);
  expect(await stranger.text()).toContain('<Code>InvalidClientTokenId</Code>');
});

test('the inbox page escapes what senders wrote and frames their HTML without any right', () => {
  const mail: Mail = {
    id: '1',
    sentAt: '2026-01-01T00:00:00.000Z',
    from: '"><script>alert(1)</script>@x',
    to: ['<img src=x onerror=alert(1)>'],
    cc: [],
    bcc: [],
    replyTo: [],
    subject: '</title><script>alert(2)</script>',
    text: '<script>alert(3)</script>',
    html: '"><script>alert(4)</script>',
    raw: '',
  };
  const html = inboxPage([mail]);
  expect(html).not.toContain('<script');
  expect(html).not.toContain('<img');
  expect(html).toContain('<iframe sandbox="" title=');
  expect(html).toContain('srcdoc="&quot;&gt;&lt;script&gt;alert(4)');
  expect(inboxPage([])).toContain('No e-mail was sent yet.');
});
