import type { Assets } from '../../web/pages/assets.ts';

/** Bundling puts the paths in place of this name (`scripts/bundle.ts`). */
declare const VIEWER_ASSETS: Assets;

/** Where pages find what they load. Only a bundle knows: tests give pages names of their own. */
export function viewerAssets(): Assets {
  return VIEWER_ASSETS;
}
