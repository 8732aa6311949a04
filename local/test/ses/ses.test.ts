import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  SESClient,
  SendEmailCommand,
  SendRawEmailCommand,
  type SendRawEmailCommandInput,
} from '@aws-sdk/client-ses';
import { afterEach, describe, expect, test } from '@jest/globals';
import { movableClock } from '../../time/clock.ts';
import { inboxPage } from '../../ses/inbox-page.ts';
import { type Mail, mailStore } from '../../ses/mail-store.ts';
import { startSes } from '../../ses/ses.ts';
import { suppressionList } from '../../ses/suppression-list.ts';
import { anIam } from '../an-iam.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { aMessage, base64, part } from './a-message.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function start(
  actions = ['ses:SendRawEmail'],
  conditions?: object,
  { sandbox = false, resource = '*' } = {},
) {
  const { iam, credentials } = anIam(actions, conditions, resource);
  const suppressed = suppressionList(temporaryFolder('suppressed'));
  const dir = temporaryFolder('mail');
  const store = mailStore(dir);
  const server = await startSes({
    clock: movableClock(),
    iam,
    store,
    identities: ['slipway.example'],
    configurationSets: [
      { name: 'careful', suppressedReasons: ['BOUNCE', 'COMPLAINT'] },
      { name: 'bounces-only', suppressedReasons: ['BOUNCE'] },
    ],
    suppressed,
    sandbox,
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
  return { client, store, dir, suppressed, url: server.url };
}

function anEmail(
  change: Partial<{ from: string; to: string[]; configurationSet: string; message: string }> = {},
  more: Partial<SendRawEmailCommandInput> = {},
) {
  const { from = 'Slipway <hello@slipway.example>', message = aMessage(from) } = change;
  return new SendRawEmailCommand({
    ConfigurationSetName: change.configurationSet,
    Source: from,
    Destinations: change.to ?? ['Ann <ann@example.com>', 'ben@example.com'],
    RawMessage: { Data: Buffer.from(message) },
    ...more,
  });
}

const ARN = 'arn:aws:ses:us-east-1:000000000000';

describe('the sandbox', () => {
  test('mails verified identities and the mailbox simulator', async () => {
    const { client, store } = await start(['ses:SendRawEmail'], undefined, {
      sandbox: true,
      resource: `${ARN}:identity/*`,
    });
    await client.send(anEmail({ to: ['ann@slipway.example', 'success@simulator.amazonses.com'] }));
    expect(store.list()).toHaveLength(1);
  });
});

describe('the suppression list', () => {
  test.each<[string, 'BOUNCE' | 'COMPLAINT', string | undefined, number]>([
    ['keeps mail from an address that bounced', 'BOUNCE', 'careful', 0],
    ['keeps mail from an address that complained', 'COMPLAINT', 'careful', 0],
    ['ignores reasons that the configuration set does not name', 'COMPLAINT', 'bounces-only', 1],
    ['is off without a configuration set', 'BOUNCE', undefined, 1],
  ])('%s', async (_, reason, configurationSet, delivered) => {
    const { client, store, suppressed } = await start();
    suppressed.add('Ann <ANN@example.com>', reason);
    const command = anEmail({
      to: ['ann@example.com', 'ben@example.com'],
      ...(configurationSet !== undefined && { configurationSet }),
    });
    // SES accepts the mail: its sender does not learn who is on the list.
    expect((await client.send(command)).MessageId).toMatch(/^[0-9a-f-]{36}$/);
    expect(store.list('ann@example.com')).toHaveLength(delivered);
    expect(store.list('ben@example.com')).toHaveLength(1);
  });

  test('survives a restart, and takes names that objects have', () => {
    const dir = temporaryFolder('suppressed');
    suppressionList(dir).add('a@example.com', 'BOUNCE');
    suppressionList(dir).add('constructor', 'COMPLAINT');
    const list = suppressionList(dir);
    expect(list.reasonFor('A@example.com')).toBe('BOUNCE');
    expect(list.reasonFor('constructor')).toBe('COMPLAINT');
    expect(list.reasonFor('toString')).toBeUndefined();
  });
});

describe('SendRawEmail', () => {
  test('delivers to the inbox of every recipient, persistently', async () => {
    const { client, store, dir } = await start();
    const { MessageId } = await client.send(anEmail());
    expect(MessageId).toMatch(/^[0-9a-f-]{36}$/);
    expect(store.list('ANN@example.com')).toMatchObject([
      {
        id: MessageId,
        from: 'Slipway <hello@slipway.example>',
        to: ['Ann <ann@example.com>', 'ben@example.com'],
        subject: 'Your code: 123456 & more',
        text: 'Line one\nLine two',
        html: '<b>Hi</b>',
      },
    ]);
    expect(mailStore(dir).list('ben@example.com')).toHaveLength(1);
    expect(store.list('carl@example.com')).toEqual([]);
  });

  test('the list for one address reads only its mails', async () => {
    const { client, store, dir } = await start();
    await client.send(anEmail({ to: ['ann@example.com'] }));
    for (const name of readdirSync(dir)) writeFileSync(join(dir, name), 'unreadable');
    await client.send(anEmail({ to: ['ben@example.com'] }));
    expect(store.list('ben@example.com')).toHaveLength(1);
    expect(() => store.list('ann@example.com')).toThrow();
  });

  test.each<
    [string, () => Promise<Awaited<ReturnType<typeof start>>>, SendRawEmailCommand, string]
  >([
    [
      'a sender whom nobody verified',
      () => start(),
      anEmail({ from: 'a@elsewhere.example' }),
      'MessageRejected',
    ],
    [
      'a parameter that it does not know',
      () => start(),
      anEmail({}, { FromArn: 'arn:aws:ses:us-east-1:1:identity/x' }),
      'InvalidParameterValue',
    ],
    ['a mail without recipients', () => start(), anEmail({ to: [] }), 'InvalidParameterValue'],
    ['a role without the permission', () => start(['ses:GetSendQuota']), anEmail(), 'AccessDenied'],
    [
      'a sender whom the role may not use',
      () =>
        start(['ses:SendRawEmail'], {
          StringEquals: { 'ses:FromAddress': 'other@slipway.example' },
        }),
      anEmail(),
      'AccessDenied',
    ],
    [
      'a configuration set that does not exist',
      () => start(),
      anEmail({ configurationSet: 'unknown' }),
      'ConfigurationSetDoesNotExistException',
    ],
    [
      'a configuration set that the role may not use',
      () => start(['ses:SendRawEmail'], undefined, { resource: `${ARN}:identity/*` }),
      anEmail({ configurationSet: 'careful' }),
      'AccessDenied',
    ],
    [
      'in the sandbox, a recipient whom nobody verified',
      () => start(['ses:SendRawEmail'], undefined, { sandbox: true }),
      anEmail(),
      'MessageRejected',
    ],
    [
      'in the sandbox, a recipient whose identity the role may not use',
      () =>
        start(['ses:SendRawEmail'], undefined, {
          sandbox: true,
          resource: `${ARN}:identity/slipway.example`,
        }),
      anEmail({ to: ['success@simulator.amazonses.com'] }),
      'AccessDenied',
    ],
  ])('refuses %s', async (_, begin, email, name) => {
    const { client, store } = await begin();
    await expect(client.send(email)).rejects.toMatchObject({ name });
    expect(store.list()).toEqual([]);
  });
});

test.each<[string, (message: string) => string]>([
  ['a line that ends without CR', (message) => message.replace('\r\n', '\n')],
  ['letters that are not ASCII', (message) => message.replace('Your', 'Größe')],
  ['a line of 1,000 characters', (message) => message.replace('Your', 'x'.repeat(1000))],
  ['a header twice', (message) => `Subject: Hi\r\n${message}`],
  ['no subject', (message) => message.replace(/Subject: .*\r\n/, '')],
  ['a part that is not base64', (message) => message.replace('base64', '8bit')],
  ['broken base64', (message) => message.replace(base64('<b>Hi</b>'), '!')],
  ['no HTML', (message) => message.replace(part('text/html', '<b>Hi</b>'), '')],
  ['no end', (message) => message.replace('--b--', '')],
  ['another sender', (message) => message.replace('hello@', 'other@')],
  ['nothing', () => '-'],
])('a message with %s is refused', async (_, change) => {
  const { client, store } = await start();
  const message = change(aMessage('hello@slipway.example'));
  const sending = client.send(anEmail({ from: 'hello@slipway.example', message }));
  await expect(sending).rejects.toMatchObject({ name: 'InvalidParameterValue' });
  expect(store.list()).toEqual([]);
});

test('another action is refused', async () => {
  const { client, store } = await start(['*']);
  const Message = { Subject: { Data: 'Hi' }, Body: { Text: { Data: 'Hi' } } };
  const Destination = { ToAddresses: ['ann@example.com'] };
  const other = new SendEmailCommand({ Source: 'hello@slipway.example', Destination, Message });
  await expect(client.send(other)).rejects.toMatchObject({ name: 'InvalidAction' });
  expect(store.list()).toEqual([]);
});

test('a call without a signature gets an error in XML', async () => {
  const { url } = await start();
  const stranger = await fetch(url, { method: 'POST', body: 'Action=SendRawEmail' });
  expect(stranger.status).toBe(403);
  expect(await stranger.text()).toContain('<Code>MissingAuthenticationToken</Code>');
});

test('the inbox page escapes texts and shows HTML in a sandboxed frame', () => {
  const mail: Mail = {
    id: '1',
    sentAt: '2026-01-01T00:00:00.000Z',
    from: '"><script>alert(1)</script>@x',
    to: ['<img src=x onerror=alert(1)>'],
    subject: '</title><script>alert(2)</script>',
    text: '<script>alert(3)</script>',
    html: '"><script>alert(4)</script>',
    headers: {},
  };
  const html = inboxPage([mail]);
  expect(html).not.toContain('<script');
  expect(html).not.toContain('<img');
  expect(html).toContain('<iframe sandbox="" title=');
  expect(html).toContain('srcdoc="&quot;&gt;&lt;script&gt;alert(4)');
  expect(inboxPage([])).toContain('No e-mails yet.');
});
