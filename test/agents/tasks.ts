import { expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { buildZip } from '../fixtures/archives/zip-builder.ts';

/** A tool as `tools/list` describes it. */
export interface ListedTool {
  name: string;
  inputSchema: {
    required?: string[];
    properties: Record<string, { description?: string; enum?: string[]; items?: any }>;
  };
}

/** What somebody asks for, and the calls that it takes. */
export interface Task {
  words: string;
  /** The tool that the words mean, and what they say of its arguments. */
  tool: string;
  args: Record<string, any>;
  /** What the person knows: the title of a project, or what they answer when they are asked. */
  knows?: Record<string, any>;
  calls: string[];
  /** Fields of the last result. */
  gives?: Record<string, unknown>;
}

const page = (content: string, path = 'index.html') => ({ path, content });
const files = [page('<h1>Spring fair</h1>')];
const fair = { title: 'Spring fair' };
const zip = buildZip({
  entries: [
    { name: 'a.html', content: 'A' },
    { name: 'b.html', content: 'B' },
  ],
});
/** Addresses are of the whole installation: a run on a deployed stage must not meet those of the last. */
const run = randomUUID().slice(0, 8);

/** Projects that are there before: their titles and files. */
export const existing = [
  { title: 'Spring fair', slug: `fair-${run}`, files: [...files, page('h1{}', 'old.css')] },
  { title: 'Menu', slug: `menu-${run}`, files: [page('Soup')] },
];

const publishing: Task[] = [
  {
    words: 'Put this page online.',
    tool: 'publish_site',
    args: { files },
    calls: ['publish_site'],
    gives: { version: 1, files: 1 },
  },
  {
    words: `Publish it at harbour-${run}.`,
    tool: 'publish_site',
    args: { files, slug: `harbour-${run}` },
    calls: ['publish_site'],
  },
  {
    words: `Publish it at fair-${run}.`,
    tool: 'publish_site',
    args: { files, slug: `fair-${run}` },
    calls: ['publish_site', 'publish_site'],
  },
  {
    words: 'Publish this ZIP. Either page may be the first.',
    tool: 'publish_site',
    args: { zipBase64: Buffer.from(zip).toString('base64') },
    calls: ['publish_site', 'publish_site'],
    gives: { files: 2 },
  },
  {
    words: 'Publish it for those who know the password.',
    tool: 'publish_site',
    args: { files, access: 'password' },
    knows: { password: 'calm-harbour-42' },
    calls: ['publish_site', 'publish_site'],
  },
  {
    words: 'Publish it with the password calm-harbour-42.',
    tool: 'publish_site',
    args: { files, password: 'calm-harbour-42' },
    calls: ['publish_site', 'publish_site'],
  },
  {
    words: 'Publish it as Summer (the field’s name is misspelled).',
    tool: 'publish_site',
    args: { files, titel: 'Summer' },
    calls: ['publish_site', 'publish_site'],
  },
  {
    words: 'Publish it for a short while.',
    tool: 'publish_site',
    args: { files, expiresIn: '10 minutes' },
    calls: ['publish_site', 'publish_site'],
    gives: { expiresAt: expect.any(String) },
  },
  {
    words: 'Publish these 201 files.',
    tool: 'publish_site',
    args: { files: Array.from({ length: 201 }, (_, n) => page('x', `${n}.txt`)) },
    calls: ['publish_site', 'create_upload_link'],
    gives: { pageUrl: expect.any(String) },
  },
  {
    words: 'Publish it beneath a domain that is not mine.',
    tool: 'publish_site',
    args: { files, domainId: randomUUID() },
    calls: ['publish_site', 'publish_site'],
  },
  {
    words: 'Publish it, once even if the connection breaks.',
    tool: 'publish_site',
    args: { files, idempotencyKey: `fair-${run}` },
    calls: ['publish_site'],
  },
  {
    words: 'Publish something else under the same key.',
    tool: 'publish_site',
    args: { files: [page('Else')], idempotencyKey: `fair-${run}` },
    calls: ['publish_site', 'publish_site'],
  },
  {
    words: 'Publish the film on my disk.',
    tool: 'create_upload_link',
    args: { title: 'Film' },
    calls: ['create_upload_link'],
    gives: { curlAnySize: expect.stringContaining('curl') },
  },
  {
    words: 'Let me upload the next version of Spring fair.',
    tool: 'create_upload_link',
    args: { projectId: randomUUID() },
    knows: fair,
    calls: ['create_upload_link', 'list_projects', 'create_upload_link'],
  },
];

const reading: Task[] = [
  { words: 'What have I published?', tool: 'list_projects', args: {}, calls: ['list_projects'] },
  {
    words: 'Which of them are about soup?',
    tool: 'list_projects',
    args: { q: 'menu', limit: 500 },
    knows: { limit: 5 },
    calls: ['list_projects', 'list_projects'],
  },
  {
    words: 'What are the settings of Spring fair?',
    tool: 'get_project',
    args: {},
    knows: fair,
    calls: ['list_projects', 'get_project'],
    gives: { title: 'Spring fair', version: 1 },
  },
  {
    words: 'What does the home page of Spring fair say?',
    tool: 'get_project',
    args: { readFiles: ['index.html'] },
    knows: fair,
    calls: ['list_projects', 'get_project'],
    gives: { texts: [{ path: 'index.html', text: '<h1>Spring fair</h1>' }] },
  },
  {
    words: 'Show me Spring fair (with an id of something else).',
    tool: 'get_project',
    args: { projectId: randomUUID() },
    knows: fair,
    calls: ['get_project', 'list_projects', 'get_project'],
  },
  {
    words: 'Did anybody open Spring fair?',
    tool: 'get_link_opens',
    args: {},
    knows: fair,
    calls: ['list_projects', 'get_link_opens'],
    gives: { opens: expect.any(Object) },
  },
  {
    words: 'Tell me when somebody opens Spring fair.',
    tool: 'wait_for_open',
    args: {},
    knows: fair,
    calls: ['list_projects', 'wait_for_open'],
    gives: { opens: [], nextCursor: expect.any(String) },
  },
  {
    words: 'Give Anna a link to Spring fair that opens five times.',
    tool: 'create_share_link',
    args: { name: 'Anna', maxOpens: 5 },
    knows: fair,
    calls: ['list_projects', 'create_share_link'],
    gives: { url: expect.stringContaining('/_slipway/share/') },
  },
  {
    words: 'Did Anna open her link to Spring fair?',
    tool: 'list_share_links',
    args: {},
    knows: fair,
    calls: ['list_projects', 'list_share_links'],
    gives: { links: expect.any(Array) },
  },
  {
    words: 'How much room do I have?',
    tool: 'get_account',
    args: {},
    calls: ['get_account'],
    gives: { plan: expect.objectContaining({ tier: 'pro', trialEndsAt: expect.any(String) }) },
  },
  {
    words: 'A QR code of Spring fair for the poster.',
    tool: 'get_qr_code',
    args: {},
    knows: fair,
    calls: ['list_projects', 'get_qr_code'],
  },
];

const changing: Task[] = [
  {
    words: 'Change the heading of Spring fair.',
    tool: 'update_project_files',
    args: { files: [page('<h1>Fair</h1>')] },
    knows: fair,
    calls: ['list_projects', 'update_project_files'],
    gives: { version: 2, files: 2 },
  },
  {
    words: 'Remove the old styles of Spring fair, which had one version when I looked.',
    tool: 'update_project_files',
    args: { delete: ['old.css'], expectedVersion: 1 },
    knows: fair,
    calls: ['list_projects', 'update_project_files', 'get_project', 'update_project_files'],
    gives: { version: 3, files: 1 },
  },
  {
    words: 'Show me Spring fair with another heading, without visitors seeing it.',
    tool: 'update_project_files',
    args: { files: [page('<h1>Draft</h1>')], draft: true },
    knows: fair,
    calls: ['list_projects', 'update_project_files'],
    gives: { version: 4, draft: expect.objectContaining({ changed: ['index.html'] }) },
  },
  {
    words: 'Make version 4 of Spring fair live.',
    tool: 'update_project_settings',
    args: { liveVersion: 4 },
    knows: fair,
    calls: ['list_projects', 'update_project_settings'],
    gives: { updated: true },
  },
  {
    words: 'Roll Spring fair back to version 1.',
    tool: 'update_project_settings',
    args: { liveVersion: 1 },
    knows: fair,
    calls: ['list_projects', 'update_project_settings'],
  },
  {
    words: 'Ask visitors of Spring fair for a password.',
    tool: 'update_project_settings',
    args: { access: 'password' },
    knows: { ...fair, password: 'calm-harbour-42' },
    calls: ['list_projects', 'update_project_settings', 'update_project_settings'],
  },
  {
    words: `Move Menu to harbour-${run}.`,
    tool: 'update_project_settings',
    args: { slug: `harbour-${run}` },
    knows: { title: 'Menu' },
    calls: ['list_projects', 'update_project_settings', 'update_project_settings'],
  },
  {
    words: 'Take Menu offline.',
    tool: 'update_project_settings',
    args: { status: 'private' },
    knows: { title: 'Menu' },
    calls: ['list_projects', 'update_project_settings'],
  },
  {
    words: 'A QR code of Menu, which is offline.',
    tool: 'get_qr_code',
    args: {},
    knows: { title: 'Menu' },
    calls: ['list_projects', 'get_qr_code', 'update_project_settings', 'get_qr_code'],
  },
  {
    words: 'Delete Menu.',
    tool: 'delete_project',
    args: {},
    knows: { title: 'Menu' },
    calls: ['list_projects', 'delete_project'],
    gives: { deleted: true },
  },
];

/** Thirty-two tasks, in an order in which each finds what it is about. */
export const tasks: Task[] = [...publishing, ...reading, ...changing];
