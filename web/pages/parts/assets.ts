/** What pages load besides themselves: the sources of `web/viewers/` and the data of their packages. */
type AssetName =
  | 'code'
  | 'document'
  | 'gallery'
  | 'image'
  | 'media'
  | 'model'
  | 'open'
  | 'pdf'
  | 'pdf-worker'
  | 'pdf-data'
  | 'presentation'
  | 'table';

/** The path of every asset on every site, as `/_slipway/assets/pdf-1A2B3C4D.js`; that of data ends in a slash. */
export type Assets = Record<AssetName, string>;

/** Where all of them are. */
export const assetsPath = '/_slipway/assets/';
