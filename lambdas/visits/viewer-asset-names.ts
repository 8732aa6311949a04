import type { Assets } from '../../web/pages/parts/assets.ts';

/** Bundling puts the paths in place of this name (`scripts/bundle.ts`). */
declare const VIEWER_ASSETS: Assets;

/** Where pages find what they load. Only a bundle knows: tests give pages names of their own. */
export function viewerAssets(): Assets {
  return VIEWER_ASSETS;
}

declare const PAGES_BUILD: string;

/** Another one for every change of what makes pages. Only the gate's bundle knows. */
export function pagesBuild(): string {
  return PAGES_BUILD;
}
