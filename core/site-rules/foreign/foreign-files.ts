import { type ForeignRules, noForeignRules } from './foreign-rules.ts';

/** Reads a file that configures another host. Never throws, whatever the text is. */
export type ForeignReader = (text: string) => ForeignRules;

/** A file without an effect here. */
function ignored(file: string, message: string): [string, () => ForeignReader] {
  return [file, () => () => warningAt(file, message)];
}

function warningAt(file: string, message: string): ForeignRules {
  return { ...noForeignRules(), invalid: [{ file, line: 1, text: '', message }] };
}

const ofCloudflare =
  'This file is not run here and is not served. Write redirects and headers in `_redirects` and `_headers`.';

const ofApplication =
  'This file is not run here and is not served. Write redirects and headers in `_redirects` and `_headers`; the setting `spa` lets the home page answer missing pages.';

type LoadReader = () => ForeignReader | Promise<ForeignReader>;

/** Readers with a parser are loaded when a site has such a file. */
export const foreignReaders: ReadonlyMap<string, LoadReader> = new Map<string, LoadReader>([
  ['netlify.toml', async () => (await import('./read-netlify.ts')).readNetlify],
  ['vercel.json', async () => (await import('./read-vercel.ts')).readVercel],
  ['now.json', readNow],
  ['firebase.json', async () => (await import('./read-firebase.ts')).readFirebase],
  ['200.html', () => () => readFallback('200.html')],
  ['200.htm', () => () => readFallback('200.htm')],
  ['CNAME', () => readDomain],
  ignored('_worker.js', ofCloudflare),
  ignored('_routes.json', ofCloudflare),
  ignored('wrangler.jsonc', ofApplication),
  ignored('wrangler.json', ofApplication),
  ignored('wrangler.toml', ofApplication),
  ignored('staticwebapp.config.json', ofApplication),
  ignored('web.config', ofApplication),
  ignored('ROUTER', 'This file is not read here and is not served. Write `_redirects` instead.'),
  ignored('AUTH', 'This file is not read here and is not served. Set a password on the project.'),
  ignored('CORS', 'This file is not read here and is not served. Write `_headers` instead.'),
]);

async function readNow(): Promise<ForeignReader> {
  const { readVercel } = await import('./read-vercel.ts');
  return (text) => readVercel(text, 'now.json');
}

/** The page of missing addresses, as at surge. */
function readFallback(file: string): ForeignRules {
  const rule = { file, number: 1, text: `/* /${file} 200` };
  return { ...noForeignRules(), redirects: [rule] };
}

/** A name that can be repeated in a message. */
const domainName = /^(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,63}$/;

function readDomain(text: string): ForeignRules {
  const [domain = ''] = text.trim().toLowerCase().split(/\s/, 1);
  const name = domainName.test(domain) && domain.length <= 80 ? domain : 'example.com';
  return warningAt(
    'CNAME',
    `This file sets no domain here. Add the domain with \`POST /v1/domains\` and \`{"domain":"${name}"}\`.`,
  );
}
