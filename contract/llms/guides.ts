import { operationGroups } from '../operation-groups.ts';

/** The address of the documentation's front page. */
export const documentationPath = '/docs';

/** One page of the documentation. Its address is `/docs/<slug>`. */
export interface Guide {
  slug: string;
  title: string;
  summary: string;
}

/** The pages that are written by hand: `docs/<slug>.md`. */
export const writtenGuides = [
  {
    slug: 'getting-started',
    title: 'Getting started',
    summary: 'Publish without an account, sign in, and keep what you published.',
  },
  {
    slug: 'cli',
    title: 'Command line',
    summary: 'Publish from a terminal or a script with `slipway`, and manage your projects.',
  },
  {
    slug: 'ci',
    title: 'Continuous integration',
    summary: 'Publish from GitHub Actions, with a preview for each pull request.',
  },
  {
    slug: 'connect',
    title: 'Connect an agent',
    summary: 'MCP in Claude, ChatGPT, Cursor, VS Code, Codex, Gemini CLI, Windsurf and others.',
  },
  {
    slug: 'static-hosting',
    title: 'Static hosting',
    summary: 'Clean addresses, 404 pages, single-page applications, `_redirects` and `_headers`.',
  },
  {
    slug: 'sharing',
    title: 'Share links',
    summary:
      'Addresses for chosen readers: with an end, a number of opens, a password, and opens of their own.',
  },
  {
    slug: 'webhooks',
    title: 'Webhooks',
    summary: 'Events for other programs and chats, signed, in order, and sent until they arrive.',
  },
  {
    slug: 'file-requests',
    title: 'File requests',
    summary: 'Ask several people for files with one link: limits, receipts, and who sent what.',
  },
  {
    slug: 'analytics',
    title: 'Analytics',
    summary: 'What counts as an open and as a visit.',
  },
] as const satisfies readonly Guide[];

/** The pages that are made from the settings of the installation and from the operations. */
export const generatedGuides = {
  limits: {
    slug: 'limits',
    title: 'Limits and plans',
    summary: 'What you may upload and keep, with and without an account.',
  },
  errors: {
    slug: 'errors',
    title: 'Errors',
    summary: 'Every error code and what to do next.',
  },
  api: {
    slug: 'api',
    title: 'API reference',
    summary: 'How to call the REST API, and every operation with its fields and an example.',
  },
} as const satisfies Record<string, Guide>;

/** Every page of the documentation, in the order of its contents list. */
export const guides: readonly Guide[] = [...writtenGuides, ...Object.values(generatedGuides)];

/** The page of the API reference for each group of operations. */
export const referencePages: readonly Guide[] = Object.entries(operationGroups).map(
  ([group, { title, description }]) => ({
    slug: referenceSlug(group),
    title,
    summary: description,
  }),
);

/** The address of a group's page below `/docs/`. */
function referenceSlug(group: string): string {
  return `${generatedGuides.api.slug}/${group}`;
}
