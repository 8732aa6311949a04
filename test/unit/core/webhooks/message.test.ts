import { expect, test } from '@jest/globals';
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
  const text = '“Harbour”: version 3 is live.\nhttps://harbour.sites.test';
  expect(body('slack')).toEqual({ text });
  expect(body('discord')).toEqual({ content: text, allowed_mentions: { parse: [] } });
  expect(body('teams').attachments[0].content.body).toEqual(
    text.split('\n').map((line) => ({ type: 'TextBlock', text: line, wrap: true })),
  );
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
