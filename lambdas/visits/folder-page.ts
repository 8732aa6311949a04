import { detectType } from '../../core/content/detect-type.ts';
import { zipAddress } from '../../core/visit/decide-zip.ts';
import { listFolder } from '../../core/visit/list-folder.ts';
import type { Manifest } from '../../core/visit/manifest.ts';
import type { ServingRecord } from '../../core/visit/serving-record.ts';
import { listingPage } from '../../web/pages/visitor/listing-page.ts';
import type { Page } from '../../web/pages/parts/page.ts';
import type { ViewerDeps } from './single-file-page.ts';

/** The page of one folder of a bundle (`''`, or ending in `/`). */
export function folderPage(
  { brand, addresses, assets }: Pick<ViewerDeps, 'brand' | 'addresses' | 'assets'>,
  site: ServingRecord,
  manifest: Manifest,
  folder: string,
): Page {
  const { folders, files, totals } = listFolder(manifest, folder);
  return listingPage({
    brand,
    title: site.pageTitle ?? site.title,
    folder,
    folders,
    files: files.map((file) => ({
      name: file.name,
      href: encodeURIComponent(file.name),
      bytes: file.bytes,
      type: detectType(file.path),
    })),
    totals,
    noIndex: site.noIndex,
    zipHref: zipAddress(site, manifest, folder),
    origin: addresses.siteUrl(site.host),
    assets: assets(),
    ...(site.temporary && site.expiresAt !== null
      ? { temporary: { expiresAt: site.expiresAt } }
      : {}),
  });
}
