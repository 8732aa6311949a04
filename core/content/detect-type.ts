import type { ProjectType } from '../../contract/fields.ts';
import { extensionOf } from './file-name.ts';

const byExtension: readonly (readonly [ProjectType, string])[] = [
  ['html', 'html htm'],
  ['pdf', 'pdf'],
  ['image', 'png jpg jpeg gif webp avif svg bmp ico tif tiff heic heif apng jxl'],
  ['presentation', 'pptx ppt pps ppsx odp key'],
  ['audio', 'mp3 wav ogg oga opus m4a aac flac weba aif aiff mid midi'],
  ['video', 'mp4 webm mov m4v ogv mkv avi mpg mpeg 3gp'],
  ['markdown', 'md markdown mdown mkd mdx'],
  ['yaml', 'yaml yml'],
  ['sql', 'sql'],
  ['python', 'py pyw pyi ipynb'],
  ['model3d', 'glb gltf stl obj ply 3mf usdz'],
  ['document', 'docx doc odt rtf pages epub xlsx xls ods numbers csv tsv txt text log'],
  [
    'code',
    'js mjs cjs jsx ts mts cts tsx css scss sass less json jsonc json5 xml toml ini env conf cfg ' +
      'sh bash zsh fish ps1 bat cmd rb php java kt kts scala groovy go rs c h cc cpp cxx hpp cs fs ' +
      'swift m mm dart lua pl pm r jl ex exs erl hs clj cljs elm vue svelte astro graphql proto ' +
      'diff patch tf hcl dockerfile makefile cmake gradle asm s v sv vhd zig nim sol wat vim tex',
  ],
];

const types = new Map(
  byExtension.flatMap(([type, extensions]) =>
    extensions.split(' ').map((extension) => [extension, type] as const),
  ),
);

/** What a single file is, from its name; `files` when the name says nothing we know. */
export function detectType(path: string): ProjectType {
  const extension = extensionOf(path);
  const bareName = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return types.get(extension) ?? (extension === '' ? types.get(bareName) : undefined) ?? 'files';
}
