import type { ProjectType } from '../../contract/fields.ts';
import { composed } from '../compose-text.ts';
import { baseName, extensionOf, stem } from './media-type.ts';

/** A file format that has a project type of its own. */
interface FileFormat {
  type: ProjectType;
  /** The viewer page that shows a single file; see `web/pages/viewers/viewer-pages.ts`. */
  viewer?: string;
  /** Separated by spaces. */
  extensions: string;
}

/**
 * A text format without a viewer is shown as text. Any other format without a viewer is offered for
 * download.
 */
const formats = [
  { type: 'html', extensions: 'html htm' },
  { type: 'pdf', viewer: 'pdf', extensions: 'pdf' },
  {
    type: 'image',
    viewer: 'image',
    extensions:
      'png jpg jpeg jfif gif webp avif svg bmp dib ico cur tif tiff heic heif hif apng jxl psd psb ' +
      'nef nrw dng cr2 cr3 arw orf rw2 raf pef srw jp2 j2k j2c jpc jpf jpx tga ppm pgm pbm pnm pam hdr exr',
  },
  // Illustrator puts a PDF into its files.
  { type: 'image', viewer: 'pdf', extensions: 'ai' },
  { type: 'presentation', viewer: 'presentation', extensions: 'pptx ppsx potx pptm ppsm potm' },
  { type: 'presentation', viewer: 'reader', extensions: 'ppt pps pot odp otp fodp' },
  { type: 'presentation', extensions: 'key' },
  {
    type: 'audio',
    viewer: 'media',
    extensions: 'mp3 wav ogg oga opus m4a m4b aac flac weba mka aif aiff aifc au snd wave mid midi',
  },
  { type: 'video', viewer: 'media', extensions: 'mp4 webm mov m4v ogv mkv avi mpg mpeg 3gp' },
  { type: 'markdown', extensions: 'md markdown mdown mkd mdx rmd qmd' },
  { type: 'yaml', extensions: 'yaml yml' },
  { type: 'sql', extensions: 'sql' },
  { type: 'python', extensions: 'py pyw pyi ipynb' },
  { type: 'model3d', viewer: 'model', extensions: 'glb gltf stl obj ply 3mf fbx dae usdz' },
  { type: 'document', viewer: 'document', extensions: 'docx dotx docm dotm' },
  {
    type: 'document',
    viewer: 'table',
    extensions:
      'csv tsv xlsx xlsm xltx xltm xlsb xls ods ots fods dbf parquet arrow arrows feather ipc sqlite sqlite3 db db3 gpkg mbtiles',
  },
  {
    type: 'files',
    viewer: 'table',
    extensions: 'tar tgz gz zst tzst zip jar war ear aar apk aab whl vsix xpi nupkg cbz 7z',
  },
  {
    type: 'document',
    viewer: 'reader',
    extensions: 'doc mht mhtml odt ott fodt odg otg fodg epub fb2 kmz',
  },
  { type: 'document', viewer: 'font', extensions: 'ttf otf ttc otc woff woff2' },
  { type: 'document', extensions: 'pages numbers rtf txt text log' },
  {
    type: 'code',
    extensions:
      'js mjs cjs jsx ts mts cts tsx css scss sass less json jsonc json5 xml toml ini env conf cfg ' +
      'sh bash zsh fish ps1 bat cmd rb php java kt kts scala groovy go rs c h cc cpp cxx hpp cs fs ' +
      'swift m mm dart lua pl pm r jl ex exs erl hs clj cljs elm vue svelte astro graphql proto ' +
      'diff patch tf hcl dockerfile makefile cmake gradle asm s v sv vhd zig nim sol wat vim tex ' +
      'ml mli nix f f90 f95 f03 lisp lsp cl el scm rkt tcl vb vbs bas properties plist ' +
      'adoc asciidoc rst org bib geojson topojson jsonl ndjson har vtt srt ics ical vcf eml emlx mbox ' +
      'license licence copying authors notice readme gitignore gitattributes gitmodules ' +
      'dockerignore npmrc nvmrc editorconfig htaccess bashrc zshrc profile gemfile rakefile ' +
      'gpx tcx kml procfile vagrantfile jenkinsfile justfile cabal pas ada adb ads cob cbl awk sed ' +
      'csproj sln po coffee hbs ejs pug styl mmd mermaid excalidraw drawio dio dot gv',
  },
] as const satisfies readonly FileFormat[];

type Format = (typeof formats)[number];

/** The name of a viewer page, and of its script `web/viewers/<name>.ts`. */
export type Viewer = Extract<Format, { viewer: string }>['viewer'];

const byExtension = new Map<string, Format>(
  formats.flatMap((format) =>
    format.extensions.split(' ').map((extension) => [extension, format] as const),
  ),
);

/** Looks up the extension, or the whole name if it has no extension (`makefile`, `.gitignore`). */
function formatOf(path: string): Format | undefined {
  return byExtension.get(extensionOf(path) || baseName(path).toLowerCase().replace(/^\./, ''));
}

/** The project type of a single file, by its name; `files` for an unknown format. */
export function detectType(path: string): ProjectType {
  return formatOf(path)?.type ?? 'files';
}

/** These viewers leave the format to the browser. The scripts of the others read it from the extension. */
const browserViewers: ReadonlySet<Viewer> = new Set(['pdf', 'image', 'media']);

/** The scripts of the other viewers read the whole file into the memory of the visitor's browser. */
const inMemoryBytes = 100 * 1024 * 1024;

/**
 * The viewer page for a file, by its name and size; `undefined` for text, for formats that browsers
 * cannot show, and for a file that is too large for its viewer.
 */
export function viewerOf(path: string, bytes: number): Viewer | undefined {
  const format = formatOf(path);
  if (format === undefined || !('viewer' in format)) return undefined;
  const { viewer } = format;
  if (browserViewers.has(viewer)) return viewer;
  return extensionOf(path) !== '' && bytes <= inMemoryBytes ? viewer : undefined;
}

/** The title of an upload without a title, made from the names of its files. */
export function titleFromNames(names: readonly string[], topFolder = ''): string {
  const [first] = names;
  if (first === undefined || names.length > 1) {
    return topFolder.slice(0, -1).trim().slice(0, 255) || `${names.length} files`;
  }
  return composed(stem(first)).trim().slice(0, 255) || 'Untitled';
}
