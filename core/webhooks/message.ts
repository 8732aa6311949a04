import * as z from 'zod';
import type { DeliveryEvent } from '../../contract/operations/webhook-deliveries.ts';
import type { WebhookFormat } from '../../contract/operations/webhooks.ts';
import type { Delivery } from './delivery.ts';

/** Fields of `data` that messages name; each event has some of them. */
const Named = z.looseObject({
  host: z.string().optional(),
  title: z.string().default(''),
  version: z.int().optional(),
  reason: z.string().optional(),
  expiresAt: z.string().optional(),
  domain: z.string().optional(),
  records: z.array(z.unknown()).optional(),
  what: z.string().optional(),
  percent: z.int().optional(),
  link: z.looseObject({ name: z.string() }).optional(),
  opens: z.int().optional(),
  recentOpens: z
    .array(z.looseObject({ email: z.string().optional(), link: z.string().nullable() }))
    .optional(),
});
type Named = z.infer<typeof Named>;

/**
 * The body of a delivery, the same at each attempt. Pure.
 * @param siteUrl the address of a host
 */
export function deliveryBody(
  { type, at, data }: Pick<Delivery, 'type' | 'at' | 'data'>,
  format: WebhookFormat,
  siteUrl: (host: string) => string,
): string {
  const { host, ...fields } = Named.parse(JSON.parse(data));
  const url = host === undefined ? undefined : siteUrl(host);
  if (format === 'standard') {
    const { title, ...others } = fields;
    const named = { ...(title !== '' && { title }), ...(url !== undefined && { url }), ...others };
    return JSON.stringify({ type, timestamp: at, data: named });
  }
  return chatBodies[format]([sentences[type](fields), ...(url === undefined ? [] : [url])]);
}

/** What a person reads in a chat. */
const sentences: Record<DeliveryEvent, (named: Named) => string> = {
  'version.published': ({ title, version }) => `“${title}”: version ${version} is live.`,
  'project.opened': ({ title, opens, recentOpens = [] }) => {
    const names = new Set(recentOpens.flatMap(({ email, link }) => email ?? link ?? []));
    const times = opens === 1 ? '' : ` ${opens} times`;
    return `“${title}” was opened${times}${names.size > 0 ? `: ${[...names].join(', ')}` : ''}.`;
  },
  'project.first_opened': ({ title }) => `“${title}” was opened for the first time.`,
  'upload.received': ({ title }) => `Somebody sent files with your upload link: “${title}”.`,
  'project.taken_down': ({ title, reason }) =>
    `The operator took down “${title}”. Reason: ${reason}`,
  'link.exhausted': ({ title, link }) =>
    `The share link “${link?.name}” of “${title}” is used up: nobody else can open it.`,
  'project.expiring': ({ title, expiresAt }) => `“${title}” ends at ${expiresAt}.`,
  'domain.failed': ({ domain, records }) =>
    records?.length === 0
      ? `You no longer have ${domain}: another account proved it.`
      : `${domain} does not work: its records are missing or wrong.`,
  'quota.near': ({ what, percent }) =>
    what === 'projects' || what === 'storage'
      ? `Your account uses ${percent} % of the ${what} of your plan.`
      : `Your projects have used ${percent} % of this month’s ${what} of your plan.`,
  'webhook.test': () => 'This is a test. Events will arrive here.',
};

/** A sentence with the words of strangers, and addresses of this service. */
type Lines = [sentence: string, ...addresses: string[]];

/** Where a title could call everybody or hide an address, the program gets it as plain text. */
const chatBodies = {
  // https://docs.slack.dev/messaging/formatting-message-text: only these three characters are special.
  slack: (lines: Lines) =>
    JSON.stringify({
      text: lines
        .join('\n')
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;'),
    }),
  // A message has up to 2,000 characters, with an address of up to 262 behind it; nobody is mentioned by it.
  discord: ([sentence, ...lines]: Lines) => {
    const start = sentence.slice(0, 850).replace(/[\uD800-\uDBFF]$/, '');
    const plain = start.replaceAll(/[\\`*_~|[\]()<>#:-]/g, '\\$&');
    return JSON.stringify({
      content: [plain, ...lines].join('\n'),
      allowed_mentions: { parse: [] },
    });
  },
  // The message of a workflow that posts to a channel: an Adaptive Card. Only a TextBlock renders Markdown.
  teams: ([sentence, ...lines]: Lines) =>
    JSON.stringify({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: sentence }] },
              ...lines.map((text) => ({ type: 'TextBlock', text, wrap: true })),
            ],
          },
        },
      ],
    }),
};

const chatHosts: readonly [RegExp, WebhookFormat][] = [
  [/^hooks\.slack\.com$/, 'slack'],
  [/^(?:\w+\.)?discord(?:app)?\.com$/, 'discord'],
  [/\.(?:webhook\.office|logic\.azure|api\.powerplatform)\.com$/, 'teams'],
];

/** The form that the program behind an address understands. Pure. */
export function formatOf(url: string): WebhookFormat {
  const { hostname } = new URL(url);
  return chatHosts.find(([host]) => host.test(hostname))?.[1] ?? 'standard';
}
