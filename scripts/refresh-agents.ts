import { writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import packaged from 'crawler-user-agents';
import { isbot } from 'isbot';
import * as z from 'zod';

/** Patterns of user agents that say what they are, by what they are; regular expressions, case ignored. */
export interface Agents {
  mailScanner: string[];
  preview: string[];
  ai: string[];
  /** Only those that the package `isbot` does not know. */
  bot: string[];
}

/** What the lists of the packages lack or say otherwise, kept by hand. */
const byHand: Agents = {
  mailScanner: [
    'Barracuda',
    'Proofpoint',
    'Mimecast',
    'SafeLinks',
    'Safe ?Links? ?Scan',
    'Microsoft-?Defender',
    'MSOffice-?Scanner',
    'MessageLabs',
    'IronPort',
    'Trend ?Micro',
    'FireEye',
    'Cloudmark',
    'Hornetsecurity',
    'Vade ?Secure',
    'Forti(?:Mail|Guard|Sandbox)',
    'Avanan',
    'Bitdefender',
    'Sophos',
    'MailScanner',
    'SpamAssassin',
    'Rspamd',
    'GoogleImageProxy',
    'YahooMailProxy',
    'FastmailUA',
    'Shortwave Image Fetcher',
    'ProtonMail',
    'Outlook-iOS-Scanner',
  ],
  preview: [
    'Slack-?(?:Img|Link)',
    'iMessageLinkPreview',
    'WhatsApp/',
    'Signal-?(?:Desktop|Android|iOS)? ?LinkPreview',
    'Teams-?Preview',
    'Zoom(?:Bot| Link)',
    'Line-?(?:Poker|Preview)',
  ],
  ai: [
    'meta-webindexer',
    'Google-?Agent',
    'GoogleOther',
    'Applebot-Extended',
    'Gemini',
    'xAI-?(?:Bot|SearchBot)',
    'GrokBot',
    'ClaudeBot',
    'Claude-Code',
    'YouBot',
    'Timpibot',
    'Diffbot',
    'omgili',
  ],
  bot: [
    'HeadlessChrome',
    'PhantomJS',
    'Playwright',
    'Puppeteer',
    'Selenium',
    'Cypress',
    'Electron-?Test',
    'UptimeRobot',
    'Pingdom',
    'StatusCake',
    'Site24x7',
    'BetterStack|Better Uptime',
    'Lighthouse',
  ],
};

/** Browsers inside of apps: the lists take them for what fetches previews, but people look through them. */
const browsersInApps = new Set([
  'MetaIAB Facebook',
  'Notion\\/',
  'Viber',
  'Tumblr\\/',
  'Valve\\/Steam',
]);
/** Tagged as what they are not. */
const noPreviews = new Set([
  'bluesky-domain-status-classifier',
  'AASA-Bot',
  'Supabase Paired Crawler',
]);

/** The package's own types lack the tags. */
const Crawlers = z.array(
  z.object({
    pattern: z.string(),
    tags: z.array(z.string()).default([]),
    instances: z.array(z.string()),
  }),
);

/** What the installed packages and the part kept by hand come to. Pure. */
export function agentsOfPackages(): Agents {
  const lists: Agents = { mailScanner: [], preview: [], ai: [], bot: [] };
  for (const { pattern, tags, instances } of Crawlers.parse(packaged)) {
    if (browsersInApps.has(pattern)) continue;
    const kind = kindOf(pattern, tags);
    if (kind !== 'bot' || instances.some((agent) => !isbot(agent))) lists[kind].push(pattern);
  }
  return {
    mailScanner: sorted(byHand.mailScanner),
    preview: sorted([...lists.preview, ...byHand.preview]),
    ai: sorted([...lists.ai, ...byHand.ai]),
    bot: sorted([...lists.bot, ...byHand.bot]),
  };
}

function kindOf(pattern: string, tags: readonly string[]): 'preview' | 'ai' | 'bot' {
  if (tags.includes('ai-crawler')) return 'ai';
  return tags.includes('social-preview') && !noPreviews.has(pattern) ? 'preview' : 'bot';
}

function sorted(patterns: readonly string[]): string[] {
  return [...new Set(patterns)].toSorted();
}

const file = fileURLToPath(new URL('../core/analytics/agents.json', import.meta.url));

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await writeFile(file, `${JSON.stringify(agentsOfPackages(), null, 2)}\n`);
  console.log(`wrote ${file}`);
}
