import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { anEmail, get, mailsTo, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { adminCommand } from '../../fixtures/accounts/admin.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { type Received, Receiver } from '../../fixtures/webhooks/receiver.ts';

const cloud = new LocalCloud();
let receiver: Receiver;
let apiKey: string;
let email: string;
beforeAll(() => cloud.start());
afterAll(() => cloud.remove());
beforeEach(async () => {
  email = anEmail();
  apiKey = await signIn(email, cloud.baseUrl);
  receiver = await new Receiver().start();
});
afterEach(() => receiver.close());

/** How a chat answers, what people read there, and what they would not see: mentions, formatting, hidden addresses. */
interface Shown {
  status: number;
  answer: string;
  text?: string;
  unseen?: string[];
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/**
 * Incoming webhooks of Slack: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks,
 * https://docs.slack.dev/messaging/formatting-message-text
 */
function slack({ json: { text } }: Received): Shown {
  if (!isText(text)) return { status: 400, answer: 'no_text' };
  if (text.length > 40_000) return { status: 400, answer: 'msg_too_long' };
  const signs: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };
  return {
    status: 200,
    answer: 'ok',
    text: text.replaceAll(/&(?:amp|lt|gt);/g, (sign) => signs[sign] ?? ''),
    unseen: [...text.matchAll(/<[^>]*>|&(?!amp;|lt;|gt;)/g)].map(([found]) => found),
  };
}

/** Webhooks of Discord: https://docs.discord.com/developers/resources/webhook#execute-webhook */
function discord({ json: { content, allowed_mentions: mentions } }: Received): Shown {
  if (!isText(content)) return { status: 400, answer: '{"code": 50006}' };
  if (content.length > 2000 || /\p{Surrogate}/u.test(content)) {
    return { status: 400, answer: '{"code": 50035, "message": "Invalid Form Body"}' };
  }
  const [sentence = '', ...lines] = content.split('\n');
  const parsed: string[] = mentions?.parse ?? ['everyone'];
  const called = parsed.includes('everyone') ? (/@everyone|@here/.exec(content) ?? []) : [];
  const formatted = sentence.replaceAll(/\\./g, '').match(/[\\`*_~|[\]()<>#]|\w+:\/\//g) ?? [];
  const text = [sentence.replaceAll(/\\(.)/g, '$1'), ...lines].join('\n');
  return { status: 204, answer: '', text, unseen: [...called, ...formatted] };
}

/**
 * Workflows of Teams: https://learn.microsoft.com/power-automate/teams/send-a-message-in-teams,
 * elements of https://adaptivecards.io/explorer; a message has 28 kB.
 */
function teams({ json: { type, attachments }, body }: Received): Shown {
  if (Buffer.byteLength(body) > 28 * 1024) return { status: 413, answer: 'too large' };
  const cards = (type === 'message' && Array.isArray(attachments) ? attachments : []).map(
    ({ contentType, content }: any) =>
      contentType === 'application/vnd.microsoft.card.adaptive' &&
      content?.type === 'AdaptiveCard' &&
      /^1\.[0-5]$/.test(content.version) &&
      content.body,
  );
  if (cards.length === 0 || cards.some((elements) => !Array.isArray(elements))) {
    return { status: 400, answer: 'TriggerInputSchemaMismatch' };
  }
  const elements = cards.flat().map((one: any) => {
    if (one.type === 'TextBlock') return { text: one.text, formatted: one.text };
    const runs = one.type === 'RichTextBlock' ? one.inlines : [{}];
    return { text: runs.map((run: any) => run.type === 'TextRun' && run.text).join('') };
  });
  if (!elements.every(({ text }) => isText(text))) return { status: 400, answer: 'BadRequest' };
  return {
    status: 202,
    answer: '',
    text: elements.map(({ text }) => text).join('\n'),
    unseen: elements.flatMap(({ formatted = '' }) => formatted.match(/[*_[\]<>]|\]\(/g) ?? []),
  };
}

const chats = { slack, discord, teams };
type Format = keyof typeof chats;

const send = (path: string, body?: unknown, method = 'POST') =>
  sendWith(apiKey, `${cloud.baseUrl}/v1/webhooks${path}`, body, method);
async function hooked(fields: { format: Format | 'standard'; events?: string[] }): Promise<string> {
  const answer = await send('', { url: receiver.url, events: ['project.taken_down'], ...fields });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json.data.id;
}
const deliveriesOf = async (id: string) =>
  (await get(`/v1/webhooks/${id}/deliveries`, apiKey, cloud.baseUrl)).json.data.deliveries;
const webhooks = async () => (await get('/v1/webhooks', apiKey, cloud.baseUrl)).json.data.webhooks;

const title =
  '@everyone <!channel> <@U1> <https://evil.example|Sign in> [Sign in](https://evil.example) **b** &amp; `c` ||d|| 🎈';

test.each(['slack', 'discord', 'teams'] as const)(
  '%s takes a message of hostile and long words as documented, and its readers see all of it',
  async (format) => {
    const id = await hooked({ format });
    const shown: Shown[] = [];
    receiver.answer = (response, got) => {
      expect(got.headers['content-type']).toBe('application/json');
      const one = chats[format](got);
      shown.push(one);
      response.writeHead(one.status).end(one.answer);
    };
    await send(`/${id}/test`);
    await cloud.advance(1);
    const fields = { title };
    const { projectId, url } = await created(apiKey, { service: cloud.baseUrl, fields });
    // The last of 850 characters is half of a sign.
    const reason = `${'*_'.repeat(300)}${'🎈'.repeat(200)}`;
    const state = ['--state-dir', cloud.stateDir];
    await adminCommand('takedown', projectId, '--reason', reason, ...state);
    await cloud.advance(61);
    const { status, answer } = shown[0] ?? {};
    const arrived = { state: 'delivered', attempts: 1, lastAttempt: { status, body: answer } };
    expect(await deliveriesOf(id)).toMatchObject([arrived, arrived]);
    const whole = `The operator took down “${title}”. Reason: ${reason}`;
    const sentence = format === 'discord' ? whole.slice(0, 849) : whole;
    expect(shown.map((one) => [one.text, one.unseen])).toEqual([
      ['This is a test. Events will arrive here.', []],
      [`${sentence}\n${url}`, []],
    ]);
  },
);

test('a chat that asks for time by a 429 gets it, and then the same delivery', async () => {
  const id = await hooked({ format: 'discord' });
  const body = '{"message": "The resource is being rate limited.", "retry_after": 1336.57}';
  receiver.answer = (response) => response.writeHead(429, { 'retry-after': '1337' }).end(body);
  await send(`/${id}/test`);
  await cloud.advance(1);
  expect(await deliveriesOf(id)).toMatchObject([
    { state: 'waiting', attempts: 1, lastAttempt: { status: 429, body } },
  ]);
  for (const seconds of [61, 300, 900]) await cloud.advance(seconds);
  expect(receiver.got).toHaveLength(1);
  receiver.answer = (response) => response.writeHead(204).end();
  await cloud.advance(137);
  const [first, second] = receiver.got.map(({ headers }) => headers['webhook-id']);
  expect(first).toBe(second);
  expect(await deliveriesOf(id)).toMatchObject([{ state: 'delivered', attempts: 2 }]);
});

test.each([
  ['slack', 404, 'no_service', false],
  ['slack', 410, 'channel_is_archived', false],
  ['slack', 403, 'action_prohibited', true],
  ['discord', 404, '{"code": 10015, "message": "Unknown Webhook"}', false],
  ['standard', 404, 'not found', true],
] as const)('%s answers %d %s: the webhook stays on: %s', async (format, status, answer, isOn) => {
  const id = await hooked({ format });
  receiver.answer = (response) => response.writeHead(status).end(answer);
  await send(`/${id}/test`);
  await cloud.advance(1);
  expect(await webhooks()).toMatchObject([{ id, enabled: isOn }]);
  const subjects = (await mailsTo(email, cloud.baseUrl)).map(({ subject }) => subject);
  expect(subjects.some((one) => one.includes('Events are not sent to 127.0.0.1'))).toBe(!isOn);
  expect(await deliveriesOf(id)).toMatchObject([{ lastAttempt: { status, body: answer } }]);
});
