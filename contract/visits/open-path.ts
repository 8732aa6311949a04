/**
 * Where the script of a page reports an open by GET, on every site: the gate answers there.
 * `POST /_slipway/open` takes the same report from browsers that may not send `Sec-Fetch-Site`, and
 * reports that no URL can hold.
 */
export const openPath = '/_slipway/seen';
