import { writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import packaged from 'crawler-user-agents';
import { isbot } from 'isbot';
import * as z from 'zod';
import { namedAgents } from './named-agents.ts';

/** Patterns of user agents that identify themselves, by kind. Regular expressions; case is ignored. */
export interface Agents {
  mailScanner: string[];
  preview: string[];
  ai: string[];
  /** Only those that the package `isbot` does not know. */
  bot: string[];
}

const namesOf = (...classes: readonly string[]) =>
  namedAgents.filter((agents) => classes.includes(agents.class)).flatMap(({ names }) => names);

/** In-app browsers. The lists classify them as link previews, but people use them. */
const inAppBrowsers = new Set([
  'MetaIAB Facebook',
  'Notion\\/',
  'Viber',
  'Tumblr\\/',
  'Valve\\/Steam',
]);
/** Wrongly tagged as link previews. */
const notPreviews = new Set([
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

/** Merges the lists of the installed packages with the manual patterns. */
export function agentsOfPackages(): Agents {
  const lists: Agents = { mailScanner: [], preview: [], ai: [], bot: [] };
  for (const { pattern, tags, instances } of Crawlers.parse(packaged)) {
    if (inAppBrowsers.has(pattern)) continue;
    const kind = kindOf(pattern, tags);
    if (kind !== 'bot' || instances.some((agent) => !isbot(agent))) lists[kind].push(pattern);
  }
  return {
    mailScanner: sorted(namesOf('mailScanner')),
    preview: sorted([...lists.preview, ...namesOf('preview')]),
    ai: sorted([...lists.ai, ...namesOf('ai')]),
    bot: sorted([...lists.bot, ...namesOf('crawler', 'monitor')]),
  };
}

function kindOf(pattern: string, tags: readonly string[]): 'preview' | 'ai' | 'bot' {
  if (tags.includes('ai-crawler')) return 'ai';
  return tags.includes('social-preview') && !notPreviews.has(pattern) ? 'preview' : 'bot';
}

function sorted(patterns: readonly string[]): string[] {
  return [...new Set(patterns)].toSorted();
}

const file = fileURLToPath(new URL('../core/analytics/agents.json', import.meta.url));

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await writeFile(file, `${JSON.stringify(agentsOfPackages(), null, 2)}\n`);
  console.log(`wrote ${file}`);
}
