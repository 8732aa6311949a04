import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeFiles } from './folders.ts';

/** A font of a package that the service shows formulas with. */
const fontFile = fileURLToPath(
  new URL('../../../node_modules/temml/dist/Temml.woff2', import.meta.url),
);

/**
 * Writes a documentation in the shape in which JSDoc builds one below `folder`: many pages, relative
 * links, classic scripts, and a style sheet with a font in a folder of its own.
 */
export function writeDocumentation(folder: string): void {
  writeFiles(folder, { ...pages, ...assets, 'fonts/text.woff2': readFileSync(fontFile) });
}

const page = (title: string, body: string) => `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<link type="text/css" rel="stylesheet" href="styles/default.css">
</head>
<body>
<main><h1>${title}</h1>${body}</main>
<nav><h2><a href="index.html">Home</a></h2><ul>
<li><a href="module-harbour.html">harbour</a></li><li><a href="module-tide.html">tide</a></li>
</ul></nav>
<script src="scripts/line-numbers.js"> </script>
</body>
</html>
`;

const source = `<pre class="source">${Array.from({ length: 20 }, (_, at) => `const berth${at} = ${at};\n`).join('')}</pre>`;

const pages = {
  'index.html': page('Home', '<p>Berths and tides, documented.</p>'),
  'module-harbour.html': page(
    'Module: harbour',
    '<p>Berths and the ships in them.</p><p>Source: <a href="harbour.js.html">harbour.js</a></p>',
  ),
  'module-tide.html': page('Module: tide', '<p>When the water is high.</p>'),
  'harbour.js.html': page('Source: harbour.js', source),
};

const assets = {
  'styles/default.css': `@font-face { font-family: 'Open Sans'; src: url('../fonts/text.woff2') format('woff2'); }
body { font-family: 'Open Sans', sans-serif; }
`,
  'scripts/line-numbers.js': `for (const source of document.querySelectorAll('pre.source')) {
  const lines = source.textContent.split('\\n').map((text, at) => {
    const line = document.createElement('span');
    line.id = 'line' + (at + 1);
    line.textContent = text + '\\n';
    return line;
  });
  source.replaceChildren(...lines);
}
`,
};
