import { expect, test } from '@jest/globals';
import type { DeliveryEvent } from '../../../../contract/operations/webhook-deliveries.ts';
import { newDelivery } from '../../../../core/webhooks/delivery.ts';
import { deliveryBody, formatOf } from '../../../../core/webhooks/message.ts';
import { anEvent, aWebhook } from '../../../fixtures/webhooks/memory-webhooks.ts';

const siteUrl = (host: string) => `https://${host}`;
const body = (format: Parameters<typeof deliveryBody>[1], title = 'Harbour') => {
  const event = anEvent(3);
  const delivery = newDelivery(aWebhook(), { ...event, data: { ...event.data, title } });
  return JSON.parse(deliveryBody(delivery, format, siteUrl));
};

test('the body has type, time and data, with the address of the site', () => {
  const { at, projectId } = anEvent();
  expect(body('standard')).toEqual({
    type: 'version.published',
    timestamp: at,
    data: { title: 'Harbour', url: 'https://harbour.sites.test', projectId, version: 3 },
  });
});

test('chat programs get a sentence and the address', () => {
  const [sentence, url] = ['“Harbour”: version 3 is live.', 'https://harbour.sites.test'];
  expect(body('slack')).toEqual({ text: `${sentence}\n${url}` });
  const content = `“Harbour”\\: version 3 is live.\n${url}`;
  expect(body('discord')).toEqual({ content, allowed_mentions: { parse: [] } });
  expect(body('teams').attachments[0].content.body).toEqual([
    { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: sentence }] },
    { type: 'TextBlock', text: url, wrap: true },
  ]);
});

test('a title hides no address in Discord and Teams, and is no heading', () => {
  const title = '[Sign in](https://evil.example/x) <https://evil.example> **now** ||x|| `y`';
  expect(body('discord', title).content).toContain(
    String.raw`“\[Sign in\]\(https\://evil.example/x\) \<https\://evil.example\> \*\*now\*\* \|\|x\|\| \`y\`”`,
  );
  const [text] = body('teams', title).attachments[0].content.body;
  expect(text).toMatchObject({
    inlines: [{ type: 'TextRun', text: expect.stringContaining(title) }],
  });
});

test.each<[DeliveryEvent, object, string]>([
  ['project.opened', { opens: 1, recentOpens: [{ link: null }] }, '“Harbour” was opened.'],
  [
    'project.opened',
    { opens: 12, recentOpens: [{ link: 'For Anna' }, { link: null, email: 'b@example.org' }] },
    '“Harbour” was opened 12 times: For Anna, b@example.org.',
  ],
  ['project.first_opened', {}, '“Harbour” was opened for the first time.'],
  ['upload.received', {}, 'Somebody sent files with your upload link: “Harbour”.'],
  [
    'link.exhausted',
    { link: { id: 'x', name: 'Anna' }, opens: 3 },
    'The share link “Anna” of “Harbour” is used up: nobody else can open it.',
  ],
  ['project.expiring', { expiresAt: 'noon' }, '“Harbour” ends at noon.'],
  ['project.taken_down', { reason: 'Spam' }, 'The operator took down “Harbour”. Reason: Spam'],
  [
    'domain.failed',
    { domain: 'a.org', records: [] },
    'You no longer have a.org: another account proved it.',
  ],
  [
    'domain.failed',
    { domain: 'a.org', records: [{}] },
    'a.org does not work: its records are missing or wrong.',
  ],
  [
    'quota.near',
    { what: 'visits', percent: 80 },
    'Your projects have used 80 % of this month’s visits of your plan.',
  ],
  [
    'quota.near',
    { what: 'storage', percent: 100 },
    'Your account uses 100 % of the storage of your plan.',
  ],
])('%s is a sentence', (type, data, text) => {
  const delivery = { type, at: anEvent().at, data: JSON.stringify({ title: 'Harbour', ...data }) };
  expect(JSON.parse(deliveryBody(delivery, 'slack', siteUrl))).toEqual({ text });
});

test('a title calls nobody in Slack and hides no address', () => {
  expect(body('slack', '<!channel> <https://evil.example|ours>').text).toContain(
    '&lt;!channel&gt; &lt;https://evil.example|ours&gt;',
  );
});

test.each([
  ['https://hooks.slack.com/services/T0/B0/x', 'slack'],
  ['https://discord.com/api/webhooks/1/x', 'discord'],
  ['https://canary.discord.com/api/webhooks/1/x', 'discord'],
  ['https://example.webhook.office.com/webhookb2/x', 'teams'],
  ['https://prod-1.westeurope.logic.azure.com/workflows/x', 'teams'],
  ['https://hooks.slack.com.example.org/x', 'standard'],
  ['https://notdiscord.com/x', 'standard'],
])('%s gets the form %s', (url, format) => {
  expect(formatOf(url)).toBe(format);
});
