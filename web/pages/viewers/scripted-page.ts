import { extensionOf } from '../../../core/content/file-name.ts';
import type { Page } from '../parts/page.ts';
import { documentPage } from './document-page.ts';
import { modelPage } from './model-page.ts';
import { presentationPage } from './presentation-page.ts';
import { tablePage } from './table-page.ts';
import type { Viewed } from './viewer-page.ts';

const pages = new Map([
  ['docx', documentPage],
  ['pptx', presentationPage],
  ['ppsx', presentationPage],
  ...['glb', 'gltf', 'stl', 'obj', 'ply'].map((extension) => [extension, modelPage] as const),
  ...['csv', 'tsv'].map((extension) => [extension, tablePage] as const),
]);

/** What a script reads it reads whole, into the memory of the visitor's browser. */
const maxBytes = 100 * 1024 * 1024;

/** The page of a file in a format that only a script of ours can show; `undefined` for any other. */
export function scriptedPage(viewed: Viewed): Page | undefined {
  const { name, bytes } = viewed.file;
  return bytes > maxBytes ? undefined : pages.get(extensionOf(name))?.(viewed);
}
