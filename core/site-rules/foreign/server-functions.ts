import type { InvalidLine, Line } from '../rules-file.ts';

/** Scripts in the folders that Cloudflare Pages, Netlify, Firebase and Vercel use for functions. */
const candidate = /^(?:functions|api)\/.+\.(?:[cm]?[jt]s|[jt]sx)$/;

/** Whether a file may be a function, as far as its path tells. */
export function mayBeFunction(path: string): boolean {
  return candidate.test(path);
}

const methods = 'GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS';
const request = '_?(?:req(?:uest)?|event)';

/** What only scripts for a server contain, where every run of white space is one space: see {@link isFunction}. */
const marks = [
  // Cloudflare Pages: https://developers.cloudflare.com/pages/functions/api-reference/
  /\bexport (?:async )?(?:const|let|var|function) onRequest[A-Z]?[a-z]*\b/,
  /\bexport ?\{[^{}]{0,500}\bonRequest/,
  // Workers
  /\bexport default ?\{ ?(?:async )?fetch\b/,
  // Netlify and AWS Lambda
  /\bexports\.handler ?=/,
  new RegExp(
    `\\bexport (?:const handler\\b[^=]{0,100}= ?(?:async ?)?|async function handler ?)\\( ?${request}\\b`,
  ),
  // Netlify and Vercel: the default export answers a request
  new RegExp(
    `(?:\\bexport default|\\bmodule\\.exports ?=) ?(?:async ?)?(?:function\\b ?\\w{0,100} ?)?\\(? ?${request}\\b`,
  ),
  new RegExp(`\\bexport (?:async function|function|const) (?:${methods})\\b`),
  /["'](?:firebase-functions\b|@netlify\/(?:edge-)?functions|@vercel\/|@cloudflare\/|@google-cloud\/functions-framework|@azure\/functions)/,
];

/**
 * Whether a script answers requests on a server, by its text or by a name that routes requests. Long runs of white
 * space would take a pattern with several optional parts more steps than their length.
 */
function isFunction(path: string, text: string): boolean {
  const inSpaces = text.replace(/\s+/g, ' ');
  return (
    /\/(?:_middleware|\[[^/]+\])\.\w+$/.test(path) || marks.some((mark) => mark.test(inSpaces))
  );
}

/** Files that a folder of functions has beside its scripts. Others are assets of a page. */
const besideScripts = /\.(?:[cm]?[jt]s|[jt]sx|json|lock|ya?ml|toml|md|map|txt|py|go|rb|rs|sh)$/i;

/** Finds the functions among the files of a site. */
export function findFunctions() {
  const functions: string[] = [];
  /** Whether each folder has assets. */
  const folders = new Map<string, boolean>();
  return {
    /** A file has passed. Its text is only needed where {@link mayBeFunction}. */
    add(path: string, text: string | undefined) {
      if (text !== undefined && isFunction(path, text)) functions.push(path);
      const isAsset = !besideScripts.test(path);
      for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
        const folder = path.slice(0, at);
        folders.set(folder, isAsset || folders.get(folder) === true);
      }
    },
    /** @param named folders that a file of another host names */
    found(named: readonly string[]): FoundFunctions {
      const inFunctions = functions.some((path) => path.startsWith('functions/'));
      // A folder with pages or pictures is a part of the site, and only its functions are not.
      const whole = [...new Set([...named, ...(inFunctions ? ['functions'] : [])])].filter(
        (folder) => folders.get(folder) === false,
      );
      const single = functions.filter(
        (path) => !whole.some((folder) => path.startsWith(`${folder}/`)),
      );
      return unserved(whole, single);
    },
  };
}

/** Rules that hide functions, and a warning about each folder. */
export interface FoundFunctions {
  redirects: Line[];
  invalid: InvalidLine[];
}

const message =
  'Functions are not run here and are not served. Call a server elsewhere; move what pages load to another folder.';

function unserved(folders: readonly string[], single: readonly string[]): FoundFunctions {
  const warned = new Set(single.map((path) => path.slice(0, path.indexOf('/'))));
  const first = [...warned].flatMap(
    (folder) => single.find((path) => path.startsWith(`${folder}/`)) ?? [],
  );
  const files = [...folders.map((folder) => `${folder}/`), ...first];
  const hidden = [...folders.map((folder) => `${folder}/*`), ...single];
  return {
    redirects: hidden.map((path) => ({
      file: path,
      number: 1,
      text: `/${path.replace(/[^\w./*[\]-]/gu, encodeURIComponent)} /404.html 404!`,
    })),
    invalid: files.map((file) => ({ file: file.slice(0, 200), line: 1, text: '', message })),
  };
}
