import analytics from '../../docs/analytics.md';
import ci from '../../docs/ci.md';
import cli from '../../docs/cli.md';
import connect from '../../docs/connect.md';
import fileRequests from '../../docs/file-requests.md';
import gettingStarted from '../../docs/getting-started.md';
import sharing from '../../docs/sharing.md';
import webhooks from '../../docs/webhooks.md';
import staticHosting from '../../docs/static-hosting.md';
import type { writtenGuides } from '../../contract/llms/guides.ts';

/** The Markdown of every guide that is written by hand. */
export const guideTexts: Record<(typeof writtenGuides)[number]['slug'], string> = {
  'getting-started': gettingStarted,
  cli,
  ci,
  connect,
  'static-hosting': staticHosting,
  sharing,
  webhooks,
  'file-requests': fileRequests,
  analytics,
};
