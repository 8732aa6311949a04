import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './curl.ts';
import { writeFiles } from './folders.ts';
import { aPng } from './sample-files.ts';

const vite = fileURLToPath(new URL('../../../node_modules/vite/bin/vite.js', import.meta.url));
const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));

/**
 * Builds an application with Vite below `folder` and gives the folder of the build.
 *
 * It has what real ones have: a package of the registry, a style sheet with a font, a picture, a
 * file that is fetched, a chunk that is loaded later, a worker, and names with hashes.
 */
export async function buildViteApp(folder: string): Promise<string> {
  writeFiles(folder, sources);
  symlinkSync(modules, join(folder, 'node_modules'), 'junction');
  await run(process.execPath, [vite, 'build', '--logLevel', 'warn'], folder);
  return join(folder, 'dist');
}

const sources = {
  'vite.config.js': `export default {
  build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 2000 },
  worker: { format: 'es' },
};
`,
  'package.json': JSON.stringify({ name: 'ferry-times', private: true, type: 'module' }),
  'index.html': `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Ferry times</title>
<link rel="icon" href="/icon.svg">
<script type="module" src="/src/main.js"></script>
</head>
<body>
<h1>Ferry times</h1>
<ul id="times"></ul>
<p id="later"></p>
<p id="sum"></p>
</body>
</html>
`,
  'public/icon.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 4h8L6 8H2z"/></svg>',
  'public/data/times.json': JSON.stringify([
    { from: 'North pier', at: '08:15' },
    { from: 'South pier', at: '09:40' },
  ]),
  'src/main.js': `import * as z from 'zod';
import photoUrl from './photo.png';
import './style.css';

const Times = z.array(z.object({ from: z.string(), at: z.string() }));

const answer = await fetch(import.meta.env.BASE_URL + 'data/times.json');
for (const { from, at } of Times.parse(await answer.json())) {
  const item = document.createElement('li');
  item.textContent = from + ' at ' + at;
  document.querySelector('#times').append(item);
}

const photo = new Image();
photo.alt = 'The ferry';
photo.src = photoUrl;
document.body.append(photo);

const { later } = await import('./later.js');
document.querySelector('#later').textContent = later();

const worker = new Worker(new URL('./sum.js', import.meta.url), { type: 'module' });
worker.onmessage = ({ data }) => {
  document.querySelector('#sum').textContent = 'The worker says ' + data;
};
worker.postMessage([19, 23]);
`,
  'src/later.js': `import './later.css';

export const later = () => 'Loaded later';
`,
  'src/later.css': '#later { font-weight: 700; }\n',
  'src/sum.js': 'onmessage = ({ data: [a, b] }) => postMessage(a + b);\n',
  'src/style.css': `@font-face {
  font-family: Signal;
  src: url('../node_modules/temml/dist/Temml.woff2') format('woff2');
}
body { background: rgb(217, 233, 234); font-family: Signal, sans-serif; }
`,
  'src/photo.png': aPng(64, 48, [179, 54, 26]),
};
